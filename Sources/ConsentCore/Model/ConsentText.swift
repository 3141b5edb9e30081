/// A text that may have a formatted side. Where it has one, that side is shown and the plain one is not.
public struct ConsentText: Hashable, Sendable {
  /// The text as it is: no character of it is markup, and each line feed breaks the line.
  public var plain: String?
  /// The formatted side, which wins, also where it is empty.
  public var formatted: FormattedText?

  /// A text.
  public init(plain: String? = nil, formatted: FormattedText? = nil) {
    self.plain = plain
    self.formatted = formatted
  }

  /// Whether there is nothing to show.
  public var isEmpty: Bool { formatted?.source.isEmpty ?? (plain ?? "").isEmpty }
}

extension ConsentText: ExpressibleByStringLiteral {
  /// A plain text.
  public init(stringLiteral value: String) { self.init(plain: value) }
}

/// A text with markup.
public enum FormattedText: Hashable, Sendable {
  /// GitHub's Markdown with tables. Markup of HTML within it is shown as text.
  case markdown(String)
  /// The subset of HTML that ``RichText`` reads.
  case html(String)

  /// The text with its markup.
  public var source: String {
    switch self {
    case .markdown(let source), .html(let source): source
    }
  }
}
