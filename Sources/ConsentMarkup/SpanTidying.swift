internal import ConsentCore

/// Brings the spans of one line into their one shape: neighbouring texts in one, and in HTML each run of white space as one
/// space, with none at the start, at the end or beside a break.
enum SpanTidying {
  static func tidied(_ spans: [RichSpan], collapsesSpace: Bool) -> [RichSpan] {
    var afterSpace = true
    let merged = merged(collapsesSpace ? collapsed(spans, &afterSpace) : spans)
    return withoutEnds(merged)
  }

  private static func collapsed(_ spans: [RichSpan], _ afterSpace: inout Bool) -> [RichSpan] {
    var result: [RichSpan] = []
    for span in spans {
      switch span {
      case .text(let text): result.append(.text(collapsed(text, &afterSpace)))
      case .emphasis(let inner): result.append(.emphasis(collapsed(inner, &afterSpace)))
      case .strong(let inner): result.append(.strong(collapsed(inner, &afterSpace)))
      case .strike(let inner): result.append(.strike(collapsed(inner, &afterSpace)))
      case .link(let url, let inner): result.append(.link(url: url, collapsed(inner, &afterSpace)))
      case .lineBreak:
        afterSpace = true
        result.append(span)
      case .isolated, .code, .image:
        afterSpace = false
        result.append(span)
      }
    }
    return result
  }

  private static func collapsed(_ text: String, _ afterSpace: inout Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      // A no-break space is a character like any other.
      let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
      if !isSpace { result.unicodeScalars.append(scalar) } else if !afterSpace { result += " " }
      afterSpace = isSpace
    }
    return result
  }

  private static func merged(_ spans: [RichSpan]) -> [RichSpan] {
    var result: [RichSpan] = []
    for span in spans {
      switch (result.last, span) {
      case (_, .text("")): continue
      case (.text(let before)?, .text(let text)): result[result.count - 1] = .text(before + text)
      case (_, .emphasis(let inner)): result.append(.emphasis(merged(inner)))
      case (_, .strong(let inner)): result.append(.strong(merged(inner)))
      case (_, .strike(let inner)): result.append(.strike(merged(inner)))
      case (_, .link(let url, let inner)): result.append(.link(url: url, merged(inner)))
      default: result.append(span)
      }
    }
    return result
  }

  /// Without spaces and breaks at either end, and without a space before a break.
  private static func withoutEnds(_ spans: [RichSpan]) -> [RichSpan] {
    var result: [RichSpan] = []
    for span in spans {
      if span == .lineBreak {
        trimEnd(&result)
        if result.isEmpty { continue }
      }
      result.append(span)
    }
    while true {
      trimEnd(&result)
      guard result.last == .lineBreak else { break }
      result.removeLast()
    }
    return result
  }

  private static func trimEnd(_ spans: inout [RichSpan]) {
    guard case .text(var text)? = spans.last else { return }
    while text.last == " " { text.removeLast() }
    spans[spans.count - 1] = .text(text)
    if text.isEmpty { spans.removeLast() }
  }
}
