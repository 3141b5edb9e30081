internal import StrictJSON

/// One key of a message, and its value.
struct MessageMember: Sendable {
  var key = ValuePlace()
  var value = ValuePlace()
}

/// What a message holds, as places in its bytes.
struct ScannedMessage: Sendable {
  // More than any method has fields, so that an unknown one is among them where there are more.
  static let maximumMemberCount = 20

  var method = ValuePlace()
  var error = ValuePlace()
  var oneway = false
  var more = false
  var upgrade = false
  var continues = false
  /// The whole value of `parameters`.
  var parameters = ValuePlace()
  /// What `parameters` holds: the first 20 of a call, the known ones of a reply.
  var members = InlineArray<20, MessageMember>(repeating: MessageMember())
  var memberCount = 0

  /// How many of the flags that exclude each other are set.
  var flagCount: Int { (oneway ? 1 : 0) + (more ? 1 : 0) + (upgrade ? 1 : 0) }
}

/// Reads one message in one pass: its grammar, its keys, and where everything lies. Allocates nothing but where a key is
/// escaped.
///
/// Source: UAPI.20, "Messages".
struct MessageScanner: ~Escapable {
  /// Nil for a call. Of a reply, the fields to note; others are ignored, as are unknown keys.
  private let known: [FieldRule]?
  private let bytes: Span<UInt8>
  private var tokenizer: JSONTokenizer
  private var keys = OpenKeys()
  private var result = ScannedMessage()

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>, known: [FieldRule]?) throws(CloseReason) {
    do {
      tokenizer = try JSONTokenizer(bytes, maximumDepth: WireLimits.maximumDepth)
    } catch { throw .notJSON(error.reason) }
    self.bytes = bytes
    self.known = known
  }

  /// Reads it all.
  ///
  /// - Parameters:
  ///   - bytes: the message.
  ///   - known: nil for a call; the fields of a reply.
  /// - Throws: everything that closes the connection, but what is missing.
  static func scan(_ bytes: Span<UInt8>, known: [FieldRule]? = nil) throws(CloseReason) -> ScannedMessage {
    var scanner = try MessageScanner(bytes, known: known)
    try scanner.scan()
    return scanner.result
  }

  private mutating func scan() throws(CloseReason) {
    guard case .beginObject = try next() else { throw .notAnObject }
    keys.open()
    while case .key(let range, let escaped) = try next() {
      try keys.add(range, escaped: escaped, in: bytes)
      try member(range, escaped: escaped)
    }
    _ = try next()
  }

  private mutating func next() throws(CloseReason) -> JSONTokenizer.Token {
    do { return try tokenizer.next() } catch { throw .notJSON(error.reason) }
  }

  // MARK: - The top level

  private mutating func member(_ key: Range<Int>, escaped: Bool) throws(CloseReason) {
    if isKey(key, escaped, "parameters") { return try parameters() }
    if known == nil {
      if isKey(key, escaped, "method") { return result.method = try text() }
      if isKey(key, escaped, "oneway") { return result.oneway = try flag() }
      if isKey(key, escaped, "more") { return result.more = try flag() }
      if isKey(key, escaped, "upgrade") { return result.upgrade = try flag() }
      if !isVendors(key, escaped) { throw .unknownKey }
    } else {
      if isKey(key, escaped, "error") { return result.error = try text() }
      if isKey(key, escaped, "continues") { return result.continues = try flag() }
    }
    _ = try value()
  }

  private func isKey(_ key: Range<Int>, _ escaped: Bool, _ text: StaticString) -> Bool {
    JSONText.matches(bytes, key, escaped: escaped, text)
  }

  /// A vendor's key has a dot.
  private func isVendors(_ key: Range<Int>, _ escaped: Bool) -> Bool {
    if escaped { return (try? JSONText.string(bytes, key, escaped: true))?.contains(".") ?? false }
    for index in key where bytes[index] == UInt8(ascii: ".") { return true }
    return false
  }

  private mutating func text() throws(CloseReason) -> ValuePlace {
    let place = try value()
    guard place.kind == .text || place.kind == .escapedText else { throw .wrongType }
    return place
  }

  private mutating func flag() throws(CloseReason) -> Bool {
    guard case .bool(let flag) = try next() else { throw .wrongType }
    return flag
  }

  private mutating func parameters() throws(CloseReason) {
    switch try next() {
    case .null: return
    case .beginObject: break
    default: throw .wrongType
    }
    let start = tokenizer.offset - 1
    keys.open()
    while case .key(let range, let escaped) = try next() {
      try keys.add(range, escaped: escaped, in: bytes)
      let value = try value()
      if result.memberCount == ScannedMessage.maximumMemberCount { continue }
      if let known, !known.contains(where: { isKey(range, escaped, $0.name) }) { continue }
      result.members[result.memberCount] = MessageMember(
        key: ValuePlace(escaped ? .escapedText : .text, range), value: value)
      result.memberCount += 1
    }
    keys.close()
    result.parameters = ValuePlace(.object, start..<tokenizer.offset)
  }

  // MARK: - Values

  private mutating func value() throws(CloseReason) -> ValuePlace {
    switch try next() {
    case .null: return ValuePlace()
    case .bool(let flag): return ValuePlace(flag ? .yes : .no, 0..<0)
    case .number(let range): return ValuePlace(.number, range)
    case .string(let range, let escaped): return ValuePlace(escaped ? .escapedText : .text, range)
    case .beginObject: return try composite(isObject: true)
    default: return try composite(isObject: false)
    }
  }

  private mutating func composite(isObject: Bool) throws(CloseReason) -> ValuePlace {
    let start = tokenizer.offset - 1
    var depth = 1
    var hasTextsOnly = true
    keys.open()
    while depth > 0 {
      switch try next() {
      case .beginObject, .beginArray:
        depth += 1
        hasTextsOnly = false
        keys.open()
      case .endObject, .endArray:
        depth -= 1
        keys.close()
      case .key(let range, let escaped): try keys.add(range, escaped: escaped, in: bytes)
      case .string: break
      case .bool, .number, .null, .end: hasTextsOnly = false
      }
    }
    let kind: ValuePlace.Kind =
      isObject ? hasTextsOnly ? .mapOfTexts : .object : hasTextsOnly ? .arrayOfTexts : .array
    return ValuePlace(kind, start..<tokenizer.offset)
  }
}
