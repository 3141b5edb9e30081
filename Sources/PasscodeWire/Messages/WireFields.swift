public import SecretMemory
internal import StrictJSON

/// The fields of one call or reply, as a view on the message: their types were checked when it was parsed.
///
/// Accessors trap for a field that the method does not have, and for a type that the field is not of; those are mistakes of
/// the caller. Those with `IfPresent` are for optional fields.
///
/// Secrets: a field that holds one comes out as a view, or into a `SecretBytes`; never as a `String`. The message's owner wipes.
public struct WireFields: ~Escapable {
  private let specs: [FieldSpec]
  private let places: ValuePlaces
  private let message: Span<UInt8>

  @_lifetime(copy message)
  init(_ specs: [FieldSpec], at places: ValuePlaces, in message: Span<UInt8>) {
    self.specs = specs
    self.places = places
    self.message = message
  }

  /// The UTF-8 bytes of a string, its escapes undone; nil where it is absent. Of a secret too.
  ///
  /// - Complexity: O(parameters).
  @_lifetime(copy self)
  public func bytesIfPresent(_ field: WireField) -> Span<UInt8>? {
    let place = place(of: field)
    if place.kind == .absent { return nil }
    precondition(place.kind == .text, "not a string")
    return message.extracting(place.range)
  }

  /// The UTF-8 bytes of a string, its escapes undone. Of a secret too.
  @_lifetime(copy self)
  public func bytes(_ field: WireField) -> Span<UInt8> {
    let place = place(of: field)
    precondition(place.kind == .text, "not a string, or absent")
    return message.extracting(place.range)
  }

  /// A string that is no secret.
  public func string(_ field: WireField) -> String {
    precondition(!spec(of: field).isSecret, "a secret is never a String")
    return String(copying: bytes(field))
  }

  /// A string that is no secret; nil where it is absent.
  public func stringIfPresent(_ field: WireField) -> String? { isPresent(field) ? string(field) : nil }

  /// One of some words, in a call.
  public func word<Word: RawRepresentable<String>>(_ field: WireField, as type: Word.Type) -> Word {
    guard let word = Word(rawValue: string(field)) else { preconditionFailure("not the words of this field") }
    return word
  }

  /// One of some words, in a reply; nil for one that is not known: a newer daemon may say it.
  public func wordIfKnown<Word: RawRepresentable<String>>(_ field: WireField, as type: Word.Type) -> Word? {
    Word(rawValue: string(field))
  }

  /// An `int`.
  public func integer(_ field: WireField) -> Int {
    guard let value = integerIfPresent(field) else { preconditionFailure("not an int, or absent") }
    return value
  }

  /// An `int`; nil where it is absent.
  public func integerIfPresent(_ field: WireField) -> Int? {
    let place = place(of: field)
    if place.kind == .absent { return nil }
    return JSONNumber.int64(message.extracting(place.range)).map { Int($0) }
  }

  /// A `float`.
  public func number(_ field: WireField) -> Double {
    guard let value = JSONNumber.double(message.extracting(place(of: field).range)) else {
      preconditionFailure("not a float, or absent")
    }
    return value
  }

  /// A `bool`.
  public func bool(_ field: WireField) -> Bool {
    guard let value = boolIfPresent(field) else { preconditionFailure("not a bool, or absent") }
    return value
  }

  /// A `bool`; nil where it is absent.
  public func boolIfPresent(_ field: WireField) -> Bool? {
    switch place(of: field).kind {
    case .yes: true
    case .no: false
    case .absent: nil
    default: preconditionFailure("not a bool")
    }
  }

  /// Whether an optional field is there.
  public func isPresent(_ field: WireField) -> Bool { place(of: field).kind != .absent }

  /// Any value as the JSON that it came as; nil where it is absent. Of a string, the contents.
  @_lifetime(copy self)
  public func json(_ field: WireField) -> Span<UInt8>? {
    let place = place(of: field)
    return place.kind == .absent ? nil : message.extracting(place.range)
  }

  // MARK: - Base64

  /// The bytes that a base64 string stands for, appended to `bytes`; the caller wipes them, by ending their owner.
  ///
  /// - Throws: `invalidParameter` where it is not base64, `tooLarge` where the bytes do not fit in; nothing is changed then.
  public func decode(_ field: WireField, into secret: inout SecretBytes) throws(WireError) {
    do throws(SecretMemoryError) {
      try Base64.decode(bytes(field), into: &secret)
    } catch {
      switch error {
      case .tooLong(let limit): throw .tooLarge(limit: limit)
      default: throw .invalidParameter(field.text)
      }
    }
  }

  /// The bytes that a base64 string stands for, as a secret of its own.
  ///
  /// - Throws: `invalidParameter` where it is not base64; `tooLarge` beyond ``WireLimits/maximumSecretByteCount``; `busy`
  ///   where there is no locked memory for it.
  public func secret(_ field: WireField) throws(WireError) -> SecretBytes {
    let count = bytes(field).count / 4 * 3
    if count > WireLimits.maximumSecretByteCount + 2 { throw .tooLarge(limit: WireLimits.maximumSecretByteCount) }
    guard var secret = try? SecretBytes(capacity: count) else { throw .busy }
    try decode(field, into: &secret)
    if secret.count > WireLimits.maximumSecretByteCount { throw .tooLarge(limit: WireLimits.maximumSecretByteCount) }
    return secret
  }

  // MARK: - Collections

  /// Walks through the strings of a list; none where it is absent.
  ///
  /// - Throws: what `body` throws; `busy` where there is no locked memory to undo escapes in.
  public func forEachString(_ field: WireField, _ body: (Span<UInt8>) throws(WireError) -> Void) throws(WireError) {
    guard let list = collection(field, .arrayOfTexts) else { return }
    var tokenizer = tokenizer(of: list)
    while let text = nextText(&tokenizer) {
      if text.isEscaped {
        let decoded = try decoded(list, text)
        try body(decoded.bytes)
      } else {
        try body(list.extracting(text.range))
      }
    }
  }

  /// Walks through the pairs of a map; none where it is absent.
  ///
  /// - Throws: what `body` throws; `busy` where there is no locked memory to undo escapes in.
  public func forEachPair(
    _ field: WireField, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(WireError) -> Void
  ) throws(WireError) {
    guard let map = collection(field, .mapOfTexts) else { return }
    var tokenizer = tokenizer(of: map)
    while let key = nextText(&tokenizer), let value = nextText(&tokenizer) {
      if key.isEscaped || value.isEscaped {
        let decodedKey = try decoded(map, key)
        let decodedValue = try decoded(map, value)
        try body(decodedKey.bytes, decodedValue.bytes)
      } else {
        try body(map.extracting(key.range), map.extracting(value.range))
      }
    }
  }

  @_lifetime(copy self)
  private func collection(_ field: WireField, _ kind: ValuePlace.Kind) -> Span<UInt8>? {
    let place = place(of: field)
    if place.kind == .absent { return nil }
    precondition(place.kind == kind, "not a collection of strings")
    return message.extracting(place.range)
  }

  /// Inside of the collection.
  @_lifetime(copy collection)
  private func tokenizer(of collection: Span<UInt8>) -> JSONTokenizer {
    do {
      var tokenizer = try JSONTokenizer(collection, maximumDepth: 1)
      _ = try tokenizer.next()
      return tokenizer
    } catch { preconditionFailure("checked before") }
  }

  private typealias Text = (range: Range<Int>, isEscaped: Bool)

  /// The next key or string; nil at the end.
  private func nextText(_ tokenizer: inout JSONTokenizer) -> Text? {
    switch try? tokenizer.next() {
    case .key(let range, let escaped), .string(let range, let escaped): (range, escaped)
    default: nil
    }
  }

  private func decoded(_ bytes: Span<UInt8>, _ text: Text) throws(WireError) -> SecretBytes {
    guard var decoded = try? SecretBytes(copying: bytes.extracting(text.range)) else { throw .busy }
    if text.isEscaped { decoded.truncate(to: undoEscapes(of: &decoded)) }
    return decoded
  }

  private func undoEscapes(of text: inout SecretBytes) -> Int {
    var bytes = text.mutableBytes
    guard let count = try? JSONText.unescape(&bytes) else { preconditionFailure("checked before") }
    return count
  }

  // MARK: - Fields

  private func place(of field: WireField) -> ValuePlace { places[index(of: field)] }

  private func spec(of field: WireField) -> FieldSpec { specs[index(of: field)] }

  private func index(of field: WireField) -> Int {
    guard let index = specs.firstIndex(where: { $0.field == field }) else { preconditionFailure("no such field: \(field)") }
    return index
  }
}
