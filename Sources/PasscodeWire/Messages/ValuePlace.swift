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

  /// The index of the field with this name.
  func index(in rules: [FieldRule], _ message: Span<UInt8>) -> Int? {
    for index in rules.indices where isText(rules[index].name, in: message) { return index }
    return nil
  }

  /// Whether it is a value of the field, once the escapes of a text are undone; nil where only the type can tell.
  func isOf(_ rule: FieldRule, in message: Span<UInt8>) -> Bool? {
    switch (rule.shape, kind) {
    case (_, .absent): rule.isOptional
    case (.bool, .yes), (.bool, .no), (.text, .text), (.mapOfTexts, .mapOfTexts), (.arrayOfTexts, .arrayOfTexts): true
    case (.int, .number): JSONNumber.int64(message.extracting(range)) != nil
    case (.float, .number): JSONNumber.double(message.extracting(range)) != nil
    case (.other, _): nil
    default: false
    }
  }

  /// Whether it is one of the words, or an array or object of the type.
  func isOf(_ type: WireType, in message: Span<UInt8>) -> Bool {
    switch (type.resolved, kind) {
    case (.enumeration(let words), .text): words.contains { isEqual($0.utf8Span.span, message.extracting(range)) }
    case (let type, .object), (let type, .mapOfTexts), (let type, .array), (let type, .arrayOfTexts):
      WireConformance.check(message.extracting(range), is: type)
    default: false
    }
  }

  /// Whether it can be of the type, without a look into arrays and objects, nor at the words of an enumeration: a newer
  /// daemon may know more of them.
  func isRoughlyOf(_ type: WireType) -> Bool {
    switch (type.resolved, kind) {
    case (.enumeration, .text), (.array, .array), (.array, .arrayOfTexts): true
    case (.object, .object), (.object, .mapOfTexts), (.structure, .object), (.structure, .mapOfTexts), (.map, .object),
      (.map, .mapOfTexts):
      true
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

/// A place for each field that a method can have: ``WireLimits/maximumFieldCount``.
typealias ValuePlaces = InlineArray<24, ValuePlace>
