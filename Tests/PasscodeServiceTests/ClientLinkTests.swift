import Glibc
import PasscodePlatform
import PasscodeWire
import TestSupport
import Testing

@testable import PasscodeClient

/// The client's side of a connection, against a daemon's end that does what daemons do in bad moments.
@Suite struct ClientLinkTests {
  private func link(over socket: Int32) throws -> Link { try Link(UnixConnection(owning: FileDescriptor(owning: socket))) }

  @Test("a daemon that said Busy and closed the connection is heard, though the call could not be sent any more")
  func busy() throws {
    let (client, daemon) = try makeSocketPair()
    var link = try link(over: client)
    let reply = Array(#"{"error":"org.passcoded.Passcode.Busy"}"#.utf8) + [0]
    #expect(unsafe write(daemon, reply, reply.count) == reply.count)
    close(daemon)
    var fault: ClientError?
    do throws(ClientError) { try link.send(.lock, nil) { (_: inout MessageWriter) in } } catch { fault = error }
    #expect(fault == .daemon(.busy))
  }

  @Test("a daemon that is gone without a word is gone")
  func gone() throws {
    let (client, daemon) = try makeSocketPair()
    var link = try link(over: client)
    close(daemon)
    var fault: ClientError?
    do throws(ClientError) { try link.send(.lock, nil) { (_: inout MessageWriter) in } } catch { fault = error }
    #expect(fault == .disconnected)
  }

  @Test("a daemon that sends nothing is given up, and its process named")
  func silent() throws {
    let (client, daemon) = try makeSocketPair()
    var link = try link(over: client)
    defer { close(daemon) }
    var fault: ClientError?
    do throws(ClientError) {
      try link.send(.status, nil) { (_: inout MessageWriter) in }
      try link.receive(.status, within: .milliseconds(20)) { (_: WireFields, _) in }
    } catch { fault = error }
    #expect(fault == .unresponsive(pid: getpid()))
  }
}
