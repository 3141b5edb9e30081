public import PasscodeWire
internal import StrictJSON
internal import Synchronization

/// The service that Varlink's official certification client expects, for any server that takes added interfaces.
///
/// A client calls Start, Test01 … Test11 and End in this order, each with what the one before replied.
///
/// Source: `org.varlink.certification` of varlink.org, with the values of its Python server.
public final class Certification: Sendable {
  /// The interface.
  public static let interface = InterfaceSpec(
    "org.varlink.certification", types: [innerType, myType], methods: methods,
    errors: [
      ErrorSpec("ClientIdError"),
      ErrorSpec("CertificationError", [FieldSpec(WireField("wants"), .object), FieldSpec(WireField("got"), .object)]),
    ], description: Array(text.utf8))

  /// Our interfaces, and this one behind them.
  public static let catalog = WireCatalog(adding: [interface])

  /// The test that each client has to call next.
  private let clients = Mutex<[String: Int]>([:])

  /// A service without clients.
  public init() {}

  /// Whether this is a method of the interface.
  public static func has(_ call: CallLayout) -> Bool { call.method == nil }

  /// Writes the reply to a call of the interface; of Test10, all ten, each but the last ended.
  ///
  /// - Throws: `invalidParameter` with the name of what is not as it should be.
  public func answer(_ layout: CallLayout, _ call: borrowing WireFields, _ reply: inout MessageWriter) throws(WireError) {
    let number = layout.methodIndex - WireMethod.allCases.count
    if number == 0 {
      let id = clients.withLock { clients in
        let id = "client-\(clients.count)"
        clients[id] = 1
        return id
      }
      return reply.string(.clientID, id)
    }
    let id = call.string(.clientID)
    let isDue = clients.withLock { clients in
      if clients[id] != number { return false }
      clients[id] = number + 1
      return true
    }
    guard isDue else { throw .invalidParameter("client_id") }
    do throws(WireError) {
      try check(call, number)
      if number == 11, !layout.isOneway { throw .invalidParameter("oneway") }
    } catch {
      clients.withLock { $0[id] = nil }
      throw error
    }
    if number == 10 { try tenReplies(&reply) } else { Self.write(number, &reply) }
  }

  private func check(_ call: borrowing WireFields, _ number: Int) throws(WireError) {
    let expected: [String] = number == 11 ? [Self.lastReplies] : Self.values[number - 1]
    for (field, value) in zip(Self.methods[number].parameters.dropFirst(), expected) {
      let isText: Bool
      if case .string = field.type { isText = true } else { isText = false }
      let got = isText ? call.string(field.field) : Self.canonical(call, field)
      if got != (isText ? value : Self.canonical(value)) { throw .invalidParameter(field.field.text) }
    }
  }

  private func tenReplies(_ reply: inout MessageWriter) throws(WireError) {
    for number in 1...10 {
      if number > 1 { reply.begin(Self.methods[10]) }
      reply.string(.string, "Reply number \(number)")
      if number < 10 { try reply.end(continues: true) }
    }
  }

  /// Writes what the test replies with.
  private static func write(_ number: Int, _ reply: inout MessageWriter) {
    for (field, value) in zip(methods[number].reply, values[number]) {
      if case .string = field.type { reply.string(field.field, value) } else { reply.json(field.field, value.utf8Span.span) }
    }
  }

  // MARK: - Values

  private static func canonical(_ call: borrowing WireFields, _ field: FieldSpec) -> String {
    switch field.type {
    case .bool: call.bool(field.field).description
    case .int: call.integer(field.field).description
    case .float: call.number(field.field).description
    default: call.tree(field.field).map { canonical($0) } ?? "absent"
    }
  }

  private static func canonical(_ json: String) -> String {
    (try? JSONDocument.parse(json.utf8Span.span)).map { canonical($0) } ?? "no JSON"
  }

  /// The value with its keys in order, and without members that are null.
  private static func canonical(_ node: JSONNode) -> String {
    switch node.value {
    case .null: return "null"
    case .bool(let value): return value.description
    case .integer(let value): return value.description
    case .number(let value): return value.description
    case .string(let value): return value.debugDescription
    case .array(let elements): return "[" + elements.map { canonical($0) }.joined(separator: ",") + "]"
    case .object(let members):
      let pairs = members.map { $0.key.debugDescription + ":" + canonical($0.node) }.filter { !$0.hasSuffix(":null") }
      return "{" + pairs.sorted().joined(separator: ",") + "}"
    }
  }
}
