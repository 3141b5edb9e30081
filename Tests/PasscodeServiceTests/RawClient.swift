import Glibc
import PasscodePlatform
import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport

/// A client that knows nothing but the bytes of the protocol.
final class RawClient {
  let connection: UnixConnection
  private var received: [UInt8] = []
  /// How much of it holds no NUL.
  private var scanned = 0

  init(_ path: SocketPath) throws { connection = try UnixConnection.connect(to: path) }

  /// A parameter.
  enum Value {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case map([String: String])
    case strings([String])
  }

  /// Calls a method of ours, named without `org.passcoded.`, and waits for one reply.
  @discardableResult
  func call(_ method: String, _ parameters: KeyValuePairs<String, Value> = [:]) throws -> JSONNode {
    try send(method, parameters)
    return try receive()
  }

  /// The short name of the error that a call is answered with; nil for a reply.
  func error(_ method: String, _ parameters: KeyValuePairs<String, Value> = [:]) throws -> String? {
    try call(method, parameters).errorName
  }

  func send(_ method: String, _ parameters: KeyValuePairs<String, Value> = [:], flag: String? = nil) throws {
    try send(bytes: Self.message(method, parameters, flag: flag))
  }

  func send(bytes: [UInt8]) throws { try connection.sendAll(bytes.span, within: .seconds(60)) }

  func send(text: String) throws { try send(bytes: Array(text.utf8)) }

  /// The next reply.
  ///
  /// - Throws: `disconnected` where the daemon closes the connection.
  func receive() throws -> JSONNode {
    let bytes = try receiveBytes()
    return try JSONDocument.parse(bytes.span)
  }

  /// The bytes of the next reply.
  func receiveBytes() throws -> [UInt8] {
    while true {
      if let end = received[scanned...].firstIndex(of: 0) {
        defer {
          received.removeSubrange(...end)
          scanned = 0
        }
        return Array(received[..<end])
      }
      scanned = received.count
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      let count = unsafe try chunk.withUnsafeMutableBytes { unsafe try connection.receive(into: $0, within: .seconds(120)) }
      guard count > 0 else { throw PlatformError.disconnected }
      received += chunk[..<count]
    }
  }

  /// Whether the daemon has closed the connection, once it has; what still comes in is dropped.
  func waitForClose() -> Bool {
    do {
      while true { _ = try receiveBytes() }
    } catch PlatformError.timedOut {
      return false
    } catch {
      return true
    }
  }

  static func message(_ method: String, _ parameters: KeyValuePairs<String, Value> = [:], flag: String? = nil) -> [UInt8] {
    var writer = JSONWriter(ByteSink())
    writer.beginObject()
    writer.key("method")
    writer.string(method.hasPrefix("org.") ? method : "org.passcoded." + method)
    if !parameters.isEmpty {
      writer.key("parameters")
      writer.beginObject()
      for (key, value) in parameters {
        writer.key(key)
        value.write(to: &writer)
      }
      writer.endObject()
    }
    if let flag {
      writer.key(flag)
      writer.bool(true)
    }
    writer.endObject()
    return writer.finish().bytes + [0]
  }
}

extension RawClient.Value {
  func write(to writer: inout JSONWriter<ByteSink>) {
    switch self {
    case .string(let text): writer.string(text)
    case .integer(let number): writer.integer(number)
    case .bool(let flag): writer.bool(flag)
    case .map(let pairs):
      writer.beginObject()
      for (key, value) in pairs {
        writer.key(key)
        writer.string(value)
      }
      writer.endObject()
    case .strings(let texts):
      writer.beginArray()
      for text in texts { writer.string(text) }
      writer.endArray()
    }
  }
}

extension JSONNode {
  subscript(_ key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }

  /// The error's name without its interface; nil where it is no error.
  var errorName: String? {
    guard case .string(let name) = self["error"]?.value else { return nil }
    return name.split(separator: ".").last.map(String.init)
  }

  var reply: JSONNode? { self["parameters"] }

  var text: String? { if case .string(let text) = value { text } else { nil } }

  var number: Int? { if case .integer(let number) = value { Int(number) } else { nil } }

  var isTrue: Bool { if case .bool(true) = value { true } else { false } }

  var list: [JSONNode] { if case .array(let nodes) = value { nodes } else { [] } }
}

/// Base64 of some bytes.
func base64(_ bytes: [UInt8]) throws -> String {
  var text = try SecretBytes(capacity: Base64.encodedCount(bytes.count) + 1)
  try Base64.encode(bytes.span, into: &text)
  return String(decoding: (0..<text.count).map { text.bytes[$0] }, as: UTF8.self)
}
