internal import StrictJSON

/// Where a value lies in a message, and what it is.
struct ValuePlace: Sendable {
  enum Kind: UInt8, Sendable {
    case absent, no, yes, number, text, escapedText, object, mapOfTexts, array, arrayOfTexts
  }

  var kind = Kind.absent
  private var start: Int32 = 0
  private var end: Int32 = 0

  init() {}

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    start = Int32(range.lowerBound)
    end = Int32(range.upperBound)
  }

  /// The bytes: of a text without its quotes, of anything else with its brackets.
  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether it is this text.
  func isText(_ text: StaticString, in message: Span<UInt8>) -> Bool {
    JSONText.matches(message, range, escaped: kind == .escapedText, text)
  }

  /// Whether it is a value of the type, once the escapes of a text are undone.
  func isOf(_ type: WireType, in message: Span<UInt8>) -> Bool {
    switch (type, kind) {
    case (.optional, .absent): true
    case (_, .absent): false
    case (.optional(let wrapped), _): isOf(wrapped, in: message)
    case (.named(let named), _): isOf(named.type, in: message)
    case (.bool, .yes), (.bool, .no), (.string, .text): true
    case (.float, .number): JSONNumber.double(message.extracting(range)) != nil
    case (.int, .number): JSONNumber.int64(message.extracting(range)) != nil
    case (.enumeration(let words), .text): words.contains { isEqual($0.utf8Span.span, message.extracting(range)) }
    case (.object, .object), (.object, .mapOfTexts), (.map(.string), .mapOfTexts), (.array(.string), .arrayOfTexts): true
    case (.structure, .object), (.structure, .mapOfTexts), (.map, .object), (.map, .mapOfTexts), (.array, .array),
      (.array, .arrayOfTexts):
      WireConformance.check(message.extracting(range), is: type)
    default: false
    }
  }
}

/// Undoes the escapes of a text where it is.
func unescape(_ place: inout ValuePlace, in message: inout MutableSpan<UInt8>) {
  guard place.kind == .escapedText else { return }
  var text = message._mutatingExtracting(place.range)
  guard let count = try? JSONText.unescape(&text) else { preconditionFailure("the tokenizer has checked each escape") }
  place = ValuePlace(.text, place.range.lowerBound..<place.range.lowerBound + count)
}
