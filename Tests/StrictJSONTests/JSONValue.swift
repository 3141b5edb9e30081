import StrictJSON

/// A JSON value without places, compared byte for byte.
indirect enum JSONValue {
  case object([(String, JSONValue)])
  case array([JSONValue])
  case string(String)
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case null

  init(_ node: JSONNode) {
    switch node.value {
    case .object(let members): self = .object(members.map { ($0.key, JSONValue($0.node)) })
    case .array(let elements): self = .array(elements.map { JSONValue($0) })
    case .string(let text): self = .string(text)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .bool(let flag): self = .bool(flag)
    case .null: self = .null
    }
  }
}

extension JSONValue: Equatable {
  static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.0.utf8.elementsEqual($1.0.utf8) && $0.1 == $1.1 }
    case (.array(let a), .array(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a.bitPattern == b.bitPattern
    case (.bool(let a), .bool(let b)): a == b
    case (.null, .null): true
    default: false
    }
  }
}

extension JSONValue {
  func write<Sink: JSONSink & ~Copyable>(to writer: inout JSONWriter<Sink>) {
    switch self {
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        value.write(to: &writer)
      }
      writer.endObject()
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .string(let text): writer.string(text)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .bool(let flag): writer.bool(flag)
    case .null: writer.null()
    }
  }

  func serialized(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(ByteSink(), pretty: pretty)
    write(to: &writer)
    return writer.finish().bytes
  }
}
