import PasscodePlatform
import PasscodeWire
import SecretMemory
import TestSupport
import Testing

@Suite struct ReleaseTests {
  @Test("SC-39: a client and a daemon of different releases say so, and the call goes on")
  func difference() throws {
    let home = try Sandbox()
    try home.directory.makeDirectory("run/passcoded")
    let listener = try UnixListener.bind(to: SocketPath(home.socketPath))
    let store = home.storePath
    let socket = home.socketPath
    _ = startThread {
      while let connection = try? listener.accept() { try? answerStatus(connection, store, socket) }
    }
    defer { listener.stop() }
    let result = try home.expect(0, "status", "--json")
    #expect(result.errorText.contains(Release.version) && result.errorText.contains("99.0.0"))
    #expect(result.errorText.contains("passcode daemon restart"))
    #expect(jsonString("version", in: result.outputText) == "99.0.0")
    #expect(jsonString("commandVersion", in: result.outputText) == Release.version)
    #expect(try home.expect(0, "status", "-q").error.isEmpty)
  }
}

/// A daemon of another release, as far as `Status` goes.
private func answerStatus(_ connection: borrowing UnixConnection, _ store: String, _ socket: String) throws {
  var status = WireStatus(state: .absent, storePath: store, socketPath: socket, version: "99.0.0", pid: 1)
  status.protocolVersion = 9
  var message = try SecretBytes(capacity: 4096)
  while try connection.receive(into: &message) > 0 {
    guard message.bytes[message.count - 1] == 0 else { continue }
    message.removeAll()
    var replies = try MessageWriter()
    replies.begin(WireMethod.status.spec)
    status.write(into: &replies)
    try replies.end()
    try replies.drain { (bytes: Span<UInt8>) in try connection.sendAll(bytes) }
  }
}
