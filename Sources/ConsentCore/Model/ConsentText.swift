/// A text that may have a formatted side. Where it has one, that side is shown and the plain one is not.
public struct ConsentText: Hashable, Sendable {
  /// The text as it is: no character of it is markup, and each line feed breaks the line.
  public var plain: String?
  /// The formatted side, which wins, also where it is empty.
  public var formatted: RichText?

  /// A text.
  public init(plain: String? = nil, formatted: RichText? = nil) {
    self.plain = plain
    self.formatted = formatted
  }

  /// Whether there is nothing to show.
  public var isEmpty: Bool { formatted?.blocks.isEmpty ?? (plain ?? "").isEmpty }

  /// The text as blocks; the formatted side where there is one.
  public var rich: RichText { formatted ?? RichText(plain: plain ?? "") }
}

extension ConsentText: ExpressibleByStringLiteral {
  /// A plain text.
  public init(stringLiteral value: String) { self.init(plain: value) }
}
