internal import StrictJSON

/// Whether a JSON text is of a Varlink type. Reads it where it lies: copies nothing, but words that are escaped.
struct WireConformance: ~Escapable {
  private let bytes: Span<UInt8>
  private var tokenizer: JSONTokenizer

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>) throws(JSONFault) {
    tokenizer = try JSONTokenizer(bytes, maximumDepth: WireLimits.maximumDepth)
    self.bytes = bytes
  }

  /// Whether `bytes` is a whole value of the type.
  static func check(_ bytes: Span<UInt8>, is type: WireType) -> Bool {
    do {
      var reader = try WireConformance(bytes)
      guard try reader.value(type) else { return false }
      return try reader.tokenizer.next() == .end
    } catch { return false }
  }

  private mutating func value(_ type: WireType) throws(JSONFault) -> Bool { try value(type, try tokenizer.next()) }

  private mutating func value(_ type: WireType, _ token: JSONTokenizer.Token) throws(JSONFault) -> Bool {
    switch (type, token) {
    case (.optional, .null): return true
    case (.optional(let wrapped), _): return try value(wrapped, token)
    case (.named(let named), _): return try value(named.type, token)
    case (.bool, .bool), (.string, .string): return true
    case (.float, .number(let range)): return JSONNumber.double(bytes.extracting(range)) != nil
    case (.int, .number(let range)): return JSONNumber.int64(bytes.extracting(range)) != nil
    case (.enumeration(let words), .string(let range, let escaped)):
      return words.contains(try JSONText.string(bytes, range, escaped: escaped))
    case (.object, .beginObject):
      try skipObject()
      return true
    case (.structure(let fields), .beginObject): return try structure(fields)
    case (.array(let element), .beginArray): return try array(element)
    case (.map(let element), .beginObject): return try map(element)
    default: return false
    }
  }

  private mutating func skipObject() throws(JSONFault) {
    while case .key = try tokenizer.next() { _ = try tokenizer.skipValue() }
  }

  private mutating func structure(_ fields: [FieldSpec]) throws(JSONFault) -> Bool {
    var missing = fields
    while case .key(let range, let escaped) = try tokenizer.next() {
      let place = missing.firstIndex { JSONText.matches(bytes, range, escaped: escaped, $0.field.name) }
      guard let place, try value(missing.remove(at: place).type) else { return false }
    }
    return missing.allSatisfy(\.isOptional)
  }

  private mutating func array(_ element: WireType) throws(JSONFault) -> Bool {
    var token = try tokenizer.next()
    while token != .endArray {
      guard try value(element, token) else { return false }
      token = try tokenizer.next()
    }
    return true
  }

  private mutating func map(_ element: WireType) throws(JSONFault) -> Bool {
    while case .key = try tokenizer.next() {
      guard try value(element) else { return false }
    }
    return true
  }
}
