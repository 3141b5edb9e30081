internal import StrictJSON

extension MessageWriter {
  /// A string; left out where it is nil.
  public mutating func string(_ field: WireField, _ value: String?) {
    guard let value else { return }
    key(field)
    writer?.string(value)
  }

  /// A string from UTF-8 bytes in locked memory.
  public mutating func string(_ field: WireField, _ value: Span<UInt8>) {
    key(field)
    writer?.string(value)
  }

  /// One of some words; left out where it is nil.
  public mutating func word<Word: RawRepresentable<String>>(_ field: WireField, _ value: Word?) {
    string(field, value?.rawValue)
  }

  /// An `int`; left out where it is nil.
  public mutating func integer(_ field: WireField, _ value: Int?) {
    guard let value else { return }
    key(field)
    writer?.integer(value)
  }

  /// A `float`.
  public mutating func number(_ field: WireField, _ value: Double) {
    key(field)
    writer?.number(value)
  }

  /// A `bool`; left out where it is nil.
  public mutating func bool(_ field: WireField, _ value: Bool?) {
    guard let value else { return }
    key(field)
    writer?.bool(value)
  }

  /// A passcode.
  ///
  /// - Throws: `invalidText` for bytes that no JSON string can hold; the call has to be abandoned then.
  public mutating func passcode(_ field: WireField, _ value: Span<UInt8>) throws(WireError) {
    guard (try? UTF8Span(validating: value)) != nil else { throw .invalidText(.notUTF8) }
    string(field, value)
  }

  /// A secret, as base64 straight into the locked memory of the reply.
  public mutating func secret(_ field: WireField, _ value: Span<UInt8>) {
    key(field)
    writer?.value { sink in
      sink.append(UInt8(ascii: "\""))
      sink.append(base64Of: value)
      sink.append(UInt8(ascii: "\""))
    }
  }

  /// A list of strings.
  public mutating func strings(_ field: WireField, _ values: [String]) {
    array(field) { reply in
      for value in values { reply.writer?.string(value) }
    }
  }

  /// A map of strings, in the byte order of its keys.
  public mutating func map(_ field: WireField, _ pairs: [String: String]) {
    map(field) { reply in
      for (key, value) in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        reply.pair(key.utf8Span.span, value.utf8Span.span)
      }
    }
  }

  /// A map of strings, which `body` writes with ``pair(_:_:)``.
  public mutating func map(_ field: WireField, _ body: (inout MessageWriter) -> Void) {
    object(field, body)
  }

  /// One pair of a map. A key that comes twice makes a reply that clients refuse.
  public mutating func pair(_ key: Span<UInt8>, _ value: Span<UInt8>) {
    writer?.key(key)
    writer?.string(value)
  }

  /// A struct, whose fields `body` writes.
  public mutating func object(_ field: WireField, _ body: (inout MessageWriter) -> Void) {
    key(field)
    element(body)
  }

  /// An array, whose elements `body` writes with ``element(_:)``.
  public mutating func array(_ field: WireField, _ body: (inout MessageWriter) -> Void) {
    key(field)
    writer?.beginArray()
    depth += 1
    body(&self)
    depth -= 1
    writer?.endArray()
  }

  /// One struct in an array, whose fields `body` writes.
  public mutating func element(_ body: (inout MessageWriter) -> Void) {
    writer?.beginObject()
    depth += 1
    body(&self)
    depth -= 1
    writer?.endObject()
  }

  /// Any value that is JSON already.
  public mutating func json(_ field: WireField, _ value: Span<UInt8>) {
    key(field)
    writer?.value { $0.append(contentsOf: value) }
  }
}
