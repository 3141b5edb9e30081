/// Looks for what a parser of Markdown takes time or memory for by the square of its size.
enum MarkdownScan {
  /// Each of these is looked for an end up to the end of the text.
  private static let instructionLimit = 1000
  /// The addresses and titles that references would repeat, in bytes.
  private static let repeatedByteLimit = 16 << 20
  /// A page is a few columns wide.
  private static let columnLimit = 1000

  /// Why a text is not parsed, in words; nil where it is.
  static func fault(in source: String) -> String? {
    let bytes = Array(source.utf8)
    var instructions = 0, brackets = 0, columns = 0
    var definition: Int?
    var longest = 0
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: "\n")
      switch byte {
      case UInt8(ascii: "<") where next == UInt8(ascii: "?") || next == UInt8(ascii: "!"): instructions += 1
      case UInt8(ascii: "|"): columns += 1
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]") where next == UInt8(ascii: ":"): definition = definition ?? index
      case UInt8(ascii: "\n"):
        columns = 0
        // A definition ends where its paragraph does, at the latest.
        if next == UInt8(ascii: "\n"), let start = definition {
          longest = max(longest, index - start)
          definition = nil
        }
      default: break
      }
      if columns > columnLimit { return "a line with more than \(columnLimit) columns" }
      if instructions > instructionLimit { return "more than \(instructionLimit) of <? or <!" }
    }
    if let definition { longest = max(longest, bytes.count - definition) }
    return longest * brackets > repeatedByteLimit ? "a reference that is too long for being used so often" : nil
  }
}
