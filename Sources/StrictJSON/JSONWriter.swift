/// Where a `JSONWriter` puts its bytes.
///
/// A sink with a limit drops what does not fit and remembers that it did.
public protocol JSONSink: ~Copyable {
  /// Adds one byte.
  mutating func append(_ byte: UInt8)
  /// Adds some bytes.
  mutating func append(contentsOf bytes: Span<UInt8>)
}

/// A sink in ordinary memory, for texts that are no secrets.
public struct ByteSink: JSONSink {
  /// What has been written.
  public var bytes: [UInt8] = []

  /// Makes an empty sink.
  public init() {}

  /// Adds one byte.
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Adds some bytes.
  public mutating func append(contentsOf bytes: Span<UInt8>) {
    // SAFETY: the pointer is used inside of the closure only.
    unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
  }
}

/// Writes one JSON text into a sink.
///
/// Commas and colons come by themselves. Strings are escaped: the quote, the backslash and every control character (U+0000
/// to U+001F, U+007F to U+009F, so that no name drives a terminal); one byte becomes at most six. The writer keeps no bytes:
/// what a secret is written into is the sink's to wipe. A text that is not well formed is a mistake of the caller and traps.
///
/// Source: RFC 8259.
public struct JSONWriter<Sink: JSONSink & ~Copyable>: ~Copyable {
  /// Where the bytes go; to be looked at only.
  public private(set) var sink: Sink
  private let isPretty: Bool
  private var depth = 0
  /// One bit a level, the innermost lowest: 1 is an object, 0 an array.
  private var kinds: UInt64 = 0
  /// Whether something stands before this place on its level: an entry, or the whole value at the top.
  private var hasEntries = false
  private var isAfterKey = false

  /// Starts a text.
  ///
  /// - Parameters:
  ///   - sink: where the bytes go.
  ///   - pretty: for people: a line for each entry, indented by two spaces a level. Otherwise no white space at all.
  public init(_ sink: consuming Sink, pretty: Bool = false) {
    self.sink = sink
    isPretty = pretty
  }

  /// Ends the text and hands back the sink.
  ///
  /// - Precondition: one whole value was written.
  public consuming func finish() -> Sink {
    precondition(depth == 0 && hasEntries, "a JSON text is one whole value")
    return sink
  }

  /// Gives up within the text and hands back the sink.
  public consuming func abandon() -> Sink { sink }

  // MARK: - Structure

  /// Opens an object.
  ///
  /// - Precondition: a value is due, and fewer than 64 levels are open.
  public mutating func beginObject() { open(1, UInt8(ascii: "{")) }

  /// Closes the innermost object.
  ///
  /// - Precondition: an object is open and no key waits for its value.
  public mutating func endObject() { close(1, UInt8(ascii: "}")) }

  /// Opens an array.
  ///
  /// - Precondition: a value is due, and fewer than 64 levels are open.
  public mutating func beginArray() { open(0, UInt8(ascii: "[")) }

  /// Closes the innermost array.
  ///
  /// - Precondition: an array is open.
  public mutating func endArray() { close(0, UInt8(ascii: "]")) }

  /// Writes the key of a member; its value follows.
  ///
  /// - Precondition: an object is open and no other key waits for its value.
  public mutating func key(_ name: StaticString) {
    beforeKey()
    quote(name)
    afterKey()
  }

  /// Writes the key of a member; its value follows.
  ///
  /// - Precondition: an object is open and no other key waits for its value.
  @_disfavoredOverload
  public mutating func key(_ name: String) {
    beforeKey()
    quote(name.utf8Span.span)
    afterKey()
  }

  /// Writes the key of a member; its value follows.
  ///
  /// - Precondition: as above, for valid UTF-8 (checked in debug builds).
  public mutating func key(_ name: Span<UInt8>) {
    assert((try? UTF8Span(validating: name)) != nil, "a JSON string is UTF-8")
    beforeKey()
    quote(name)
    afterKey()
  }

  private mutating func open(_ kind: UInt64, _ byte: UInt8) {
    precondition(depth < JSONTokenizer.deepestMaximum, "a JSON text has at most 64 levels")
    beforeValue()
    sink.append(byte)
    depth += 1
    kinds = kinds << 1 | kind
    hasEntries = false
  }

  private mutating func close(_ kind: UInt64, _ byte: UInt8) {
    precondition(depth > 0 && kinds & 1 == kind && !isAfterKey, "nothing of this kind is open")
    depth -= 1
    kinds >>= 1
    if hasEntries { breakLine() }
    sink.append(byte)
    hasEntries = true
  }

  private mutating func beforeKey() {
    precondition(depth > 0 && kinds & 1 == 1 && !isAfterKey, "a key belongs into an object")
    separate()
  }

  private mutating func afterKey() {
    sink.append(UInt8(ascii: ":"))
    if isPretty { sink.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  private mutating func beforeValue() {
    if isAfterKey {
      isAfterKey = false
    } else if depth == 0 {
      precondition(!hasEntries, "a JSON text is one value")
      hasEntries = true
    } else {
      precondition(kinds & 1 == 0, "a value in an object needs a key")
      separate()
    }
  }

  private mutating func separate() {
    if hasEntries { sink.append(UInt8(ascii: ",")) }
    hasEntries = true
    breakLine()
  }

  private mutating func breakLine() {
    if !isPretty { return }
    sink.append(UInt8(ascii: "\n"))
    for _ in 0..<2 * depth { sink.append(UInt8(ascii: " ")) }
  }
}

// MARK: - Scalars

extension JSONWriter where Sink: ~Copyable {
  /// Writes a string value.
  ///
  /// - Precondition: a value is due.
  /// - Complexity: O(*n*).
  public mutating func string(_ text: String) { string(text.utf8Span.span) }

  /// Writes a string value from UTF-8 bytes, such as a view on locked memory.
  ///
  /// - Parameter bytes: the text, not escaped.
  /// - Precondition: a value is due, and the bytes are valid UTF-8 (checked in debug builds).
  /// - Complexity: O(*n*); no allocation of its own.
  public mutating func string(_ bytes: Span<UInt8>) {
    assert((try? UTF8Span(validating: bytes)) != nil, "a JSON string is UTF-8")
    beforeValue()
    quote(bytes)
  }

  /// Writes a whole number.
  ///
  /// - Precondition: a value is due.
  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// Writes a whole number.
  ///
  /// - Precondition: a value is due.
  public mutating func integer(_ value: Int64) {
    beforeValue()
    if value < 0 { sink.append(UInt8(ascii: "-")) }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = value.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    sink.append(contentsOf: digits.span.extracting(first..<digits.count))
  }

  /// Writes a number with the fewest digits that give the same `Double` back.
  ///
  /// - Precondition: a value is due, and it is finite: JSON has no other numbers.
  public mutating func number(_ value: Double) {
    precondition(value.isFinite, "JSON has finite numbers only")
    beforeValue()
    sink.append(contentsOf: value.description.utf8Span.span)
  }

  /// Writes `true` or `false`.
  ///
  /// - Precondition: a value is due.
  public mutating func bool(_ value: Bool) {
    beforeValue()
    write(value ? "true" : "false")
  }

  /// Writes `null`.
  ///
  /// - Precondition: a value is due.
  public mutating func null() {
    beforeValue()
    write("null")
  }

  /// Has `body` write a value, exactly one, right into the sink. Precondition: a value is due.
  public mutating func value(_ body: (inout Sink) -> Void) {
    beforeValue()
    body(&sink)
  }

  private mutating func write(_ text: StaticString) {
    // SAFETY: a literal's bytes live as long as the process.
    unsafe sink.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
  }
}

// MARK: - Escapes

extension JSONWriter where Sink: ~Copyable {
  private mutating func quote(_ text: StaticString) {
    // SAFETY: a literal's bytes live as long as the process.
    unsafe quote(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).span)
  }

  private mutating func quote(_ bytes: Span<UInt8>) {
    sink.append(UInt8(ascii: "\""))
    var plain = 0
    var i = 0
    while i < bytes.count {
      let byte = bytes[i]
      // C2 80 to C2 9F are U+0080 to U+009F.
      let isWide = byte == 0xC2 && i + 1 < bytes.count && bytes[i + 1] < 0xA0
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7F, !isWide {
        i &+= 1
        continue
      }
      if plain < i { sink.append(contentsOf: bytes.extracting(plain..<i)) }
      if isWide { i &+= 1 }
      escape(bytes[i])
      i &+= 1
      plain = i
    }
    if plain < i { sink.append(contentsOf: bytes.extracting(plain..<i)) }
    sink.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    sink.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): sink.append(byte)
    case 0x08: sink.append(UInt8(ascii: "b"))
    case 0x09: sink.append(UInt8(ascii: "t"))
    case 0x0A: sink.append(UInt8(ascii: "n"))
    case 0x0C: sink.append(UInt8(ascii: "f"))
    case 0x0D: sink.append(UInt8(ascii: "r"))
    default:
      write("u00")
      sink.append(hexDigit(byte >> 4))
      sink.append(hexDigit(byte & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
}
extension JSONWriter: Sendable where Sink: Sendable & ~Copyable {}
