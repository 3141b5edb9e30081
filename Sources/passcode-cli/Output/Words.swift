internal import Glibc

/// Times, sizes and columns, as people read them.
enum Words {
  /// A wait: `45 s`, `12 min`, `3 h`, `7 days`; rounded up, so that after it the wait is over.
  static func wait(seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7200: "\((seconds + 59) / 60) min"
    case ..<172_800: "\((seconds + 3599) / 3600) h"
    default: "\((seconds + 86_399) / 86_400) days"
    }
  }

  /// A moment in local time: `2026-11-30 14:05:09`.
  static func moment(_ seconds: Int) -> String { format(seconds, "%Y-%m-%d %H:%M:%S") }

  private static func format(_ seconds: Int, _ pattern: String) -> String {
    var instant = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&instant, &parts) != nil else { return "\(seconds)" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { unsafe strftime($0.baseAddress!, $0.count, pattern, &parts) }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A sentence as our messages are written: lower case, no full stop.
  static func message(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// `1 try`, `3 tries`.
  static func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }

  /// Rows as columns, two blanks between them; the last one is as it is.
  static func table(_ rows: [[String]]) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { index, cell in index == row.count - 1 ? cell : pad(cell, widths[index] + 2) }.joined()
    }
  }

  static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

  /// A text in lines of at most `width` columns.
  static func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = String(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return line.isEmpty ? lines : lines + [margin + line]
  }
}
