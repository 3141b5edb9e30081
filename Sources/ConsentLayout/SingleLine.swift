/// Texts of one line.
public enum SingleLine {
  /// The text with a space for each line feed.
  public static func text(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "\n")) ? String(text.map { $0 == "\n" ? " " : $0 }) : text
  }

  /// A text that runs as its own letters do, and turns nothing beside it.
  static func isolated(_ text: String) -> String { "\u{2068}" + withoutIsolates(Self.text(text)) + "\u{2069}" }

  /// An isolate that is not closed, or closed too often, would reach beyond its own text.
  static func withoutIsolates(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !(0x2066...0x2069 ~= $0.value) }))
  }

  /// A pattern with its `{name}`s replaced, each value isolated from the direction of the rest. Other braces stay; a value is
  /// not looked at again.
  public static func filled(_ pattern: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = pattern[...]
    while let start = rest.firstIndex(of: "{") {
      result += rest[..<start]
      rest = rest[start...]
      if let end = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: start)..<end])] {
        result += isolated(value)
        rest = rest[rest.index(after: end)...]
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}
