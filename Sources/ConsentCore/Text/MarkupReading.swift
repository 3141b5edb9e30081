/// A text with markup, as it stands in a form's file.
public enum FormattedText: Hashable, Sendable {
  /// GitHub's Markdown with tables. Markup of HTML within it is shown as text.
  case markdown(String)
  /// A subset of HTML.
  case html(String)

  /// The text with its markup.
  public var source: String {
    switch self {
    case .markdown(let source), .html(let source): source
    }
  }
}

/// Reads texts with markup. Parsers of foreign formats are no part of this module: ``RichText`` is what they make.
public protocol ConsentMarkupReading: Sendable {
  /// Reads a text. Reading never fails: what can't be shown becomes a finding, and its words stay where it has some.
  func read(_ text: FormattedText) -> MarkupReading
}

/// What a text with markup is read as.
public struct MarkupReading: Hashable, Sendable {
  /// The text.
  public let text: RichText
  /// What was left out, in the order of the text.
  public let findings: [MarkupFinding]

  /// A reading.
  public init(text: RichText, findings: [MarkupFinding]) {
    self.text = text
    self.findings = findings
  }
}

/// Something in a text with markup that is not shown as it was meant.
public struct MarkupFinding: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// What it is, lower case and without a full stop.
  public let message: String

  /// A finding.
  public init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}
