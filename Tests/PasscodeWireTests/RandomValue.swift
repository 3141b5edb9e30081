import PasscodeWire
import SecretMemory
import StrictJSON

/// A value of some Varlink type, to be written and read back.
indirect enum TestValue: Equatable {
  case absent
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case strings([String])
  case map([String: String])
  /// Anything else, as JSON without white space.
  case json(String)

  /// A random one: with escapes, with all of Unicode, at the limits of numbers.
  static func random(_ type: WireType, _ generator: inout some RandomNumberGenerator) -> Self {
    switch type {
    case .bool: .bool(Bool.random(using: &generator))
    case .int: .integer(integer(&generator))
    case .float: .number(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 64)
    case .string: .string(text(&generator))
    case .enumeration(let words): .string(words.randomElement(using: &generator)!)
    case .array(.string): .strings((0..<Int.random(in: 0...5, using: &generator)).map { _ in text(&generator) })
    case .map(.string): .map(pairs(&generator))
    case .optional(let wrapped): Bool.random(using: &generator) ? .absent : random(wrapped, &generator)
    case .named(let named): random(named.type, &generator)
    default: .json(json(type, &generator))
    }
  }

  /// The value as JSON.
  var json: String {
    var writer = JSONWriter(ByteSink())
    write(into: &writer)
    return String(decoding: writer.finish().bytes, as: UTF8.self)
  }

  private func write(into writer: inout JSONWriter<ByteSink>) {
    switch self {
    case .absent: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .strings(let values):
      writer.beginArray()
      for value in values { writer.string(value) }
      writer.endArray()
    case .map(let pairs):
      writer.beginObject()
      for (key, value) in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        writer.key(key)
        writer.string(value)
      }
      writer.endObject()
    case .json(let text): writer.value { $0.append(contentsOf: text.utf8Span.span) }
    }
  }

  static func json(_ type: WireType, _ generator: inout some RandomNumberGenerator) -> String {
    switch type {
    case .structure(let fields):
      let members = fields.compactMap { field -> String? in
        let value = random(field.type, &generator)
        return value == .absent ? nil : "\"\(field.field)\":\(value.json)"
      }
      return "{" + members.joined(separator: ",") + "}"
    case .array(let element):
      return "[" + (0..<Int.random(in: 0...3, using: &generator)).map { _ in json(element, &generator) }.joined(separator: ",")
        + "]"
    case .object: return #"{"any":[1,{"thing":null}],"":"\u0001"}"#
    case .named(let named): return json(named.type, &generator)
    default: return random(type, &generator).json
    }
  }

  static func integer(_ generator: inout some RandomNumberGenerator) -> Int {
    [.min, .max, 0, -1, Int.random(in: -100...100, using: &generator), Int.random(in: .min ... .max, using: &generator)]
      .randomElement(using: &generator)!
  }

  static func pairs(_ generator: inout some RandomNumberGenerator) -> [String: String] {
    var pairs: [String: String] = [:]
    for _ in 0..<Int.random(in: 0...6, using: &generator) { pairs[text(&generator)] = text(&generator) }
    return pairs
  }

  static func text(_ generator: inout some RandomNumberGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...20, using: &generator) {
      let scalar: Unicode.Scalar? =
        switch Int.random(in: 0...5, using: &generator) {
        case 0: Unicode.Scalar(UInt32.random(in: 0...0x1F, using: &generator))
        case 1:
          ["\"", "\\", "/", "\u{7F}", "\u{80}", "\u{2028}", "\u{FEFF}", "é", "e", "\u{301}"].randomElement(using: &generator)
        case 2: Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
        default: Unicode.Scalar(UInt32.random(in: 0x20...0x7E, using: &generator))
        }
      if let scalar { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension FieldSpec {
  /// Writes a value of the field's type.
  func write(_ value: TestValue, into message: inout MessageWriter) throws {
    switch value {
    case .absent: break
    case .bool(let value): message.bool(field, value)
    case .integer(let value): message.integer(field, value)
    case .number(let value): message.number(field, value)
    case .string(let value) where field == .secret: message.secret(field, value.utf8Span.span)
    case .string(let value) where isSecret: try message.passcode(field, value.utf8Span.span)
    case .string(let value): message.string(field, value)
    case .strings(let values): message.strings(field, values)
    case .map(let pairs): message.map(field, pairs)
    case .json(let text): message.json(field, text.utf8Span.span)
    }
  }

  /// Reads what was written, by the accessors of its type.
  func read(_ fields: borrowing WireFields) throws -> TestValue {
    if !fields.isPresent(field) { return .absent }
    if field == .secret {
      let secret = try fields.secret(field)
      return .string(copy(secret.bytes))
    }
    if isSecret { return .string(copy(fields.bytes(field))) }
    var type = type
    if case .optional(let wrapped) = type { type = wrapped }
    if case .named(let named) = type { type = named.type }
    switch type {
    case .bool: return .bool(fields.bool(field))
    case .int: return .integer(fields.integer(field))
    case .float: return .number(fields.number(field))
    case .string, .enumeration: return .string(fields.string(field))
    case .array(.string): return try strings(fields)
    case .map(.string): return try map(fields)
    default:
      guard let json = fields.json(field) else { return .absent }
      return .json(copy(json))
    }
  }

  private func strings(_ fields: borrowing WireFields) throws -> TestValue {
    var strings: [String] = []
    try fields.forEachString(field) { strings.append(copy($0)) }
    return strings == fields.strings(field) ? .strings(strings) : .absent
  }

  private func map(_ fields: borrowing WireFields) throws -> TestValue {
    var map: [String: String] = [:]
    try fields.forEachPair(field) { map[copy($0)] = copy($1) }
    return map == fields.map(field) ? .map(map) : .absent
  }
}

/// A text out of a span.
func copy(_ bytes: Span<UInt8>) -> String {
  var array: [UInt8] = []
  for index in bytes.indices { array.append(bytes[index]) }
  return String(decoding: array, as: UTF8.self)
}

/// What has been written, without the last NUL.
func drained(_ messages: inout MessageWriter) -> [UInt8] {
  messages.drain { bytes in
    var array: [UInt8] = []
    for index in bytes.indices { array.append(bytes[index]) }
    return array
  }
}

/// A message that has come in.
func received(_ message: [UInt8]) throws -> MessageBuffer {
  var buffer = try MessageBuffer()
  if message.count > MessageBuffer.smallByteCount { try buffer.grow() }
  unsafe buffer.withFreeSpace { space in
    unsafe space.copyBytes(from: message)
    return message.count
  }
  return buffer
}
