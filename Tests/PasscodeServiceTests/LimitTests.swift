import CLinux
import Glibc
import PasscodePlatform
import PasscodeWire
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeService

extension LockedMemoryTests {
  @Suite struct LimitTests {
    private func isServed(_ test: TestDaemon) throws -> Bool {
      try test.connect().call("Passcode.Status").reply?["state"] != nil
    }

    @Test("SC-36: a storm of half messages: the others are served, and the senders are let go when their time is up")
    func halfMessages() throws {
      let test = try TestDaemon { $0.limits.receiving = .milliseconds(300) }
      let before = LockedMemory.mappedByteCount
      let half = Array(#"{"method":"org.passcoded.Passcode.Status""#.utf8)
      let storm = try (0..<100).map { _ in
        let client = try test.connect()
        try client.send(bytes: half)
        return client
      }
      #expect(try isServed(test))
      #expect(LockedMemory.mappedByteCount - before <= 4 << 20)
      for client in storm { #expect(client.waitForClose()) }
      #expect(test.log.text.contains("a message took too long to come in"))
    }

    @Test("SC-36: an endless message is cut off at 2 MiB; the others are served meanwhile, in bounded memory")
    func endless() throws {
      let test = try TestDaemon()
      let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
      let senders = try (0..<4).map { _ in
        let client = try test.connect()
        return Background { [client = Sender(client)] () -> Int in
          var sent = 0
          while sent < 16 << 20, (try? client.client.send(bytes: chunk)) != nil { sent += chunk.count }
          return sent
        }
      }
      #expect(try isServed(test))
      #expect(LockedMemory.mappedByteCount <= LockedMemory.budget)
      for sender in senders { #expect(sender.value() < 4 << 20) }
      #expect(test.log.text.contains("tooLarge"))
      #expect(try isServed(test))
    }

    @Test("SC-36: a client that never reads is let go when its time is up; the others are served")
    func neverReads() throws {
      let test = try TestDaemon { $0.limits.sending = .seconds(2) }
      let client = try test.createStore()
      let secret = try base64([UInt8](repeating: 1, count: 1 << 20))
      #expect(try client.error("Credentials.Put", ["name": .string("big"), "secret": .string(secret)]) == nil)
      let deaf = try (0..<2).map { _ in
        let client = try test.connect()
        for _ in 0..<2 { try client.send("Credentials.Get", ["name": .string("big")]) }
        return client
      }
      #expect(try client.error("Credentials.Get", ["name": .string("no")]) == "NotFound")
      #expect(try isServed(test))
      while test.daemon.connectionCount > 1 { usleep(10_000) }
      #expect(try client.call("Credentials.Get", ["name": .string("big")]).reply?["secret"]?.text == secret)
      for client in deaf { #expect(client.waitForClose()) }
    }

    @Test("1,100 connections are served at a time, in bounded memory")
    func manyConnections() throws {
      DescriptorLimit.raise()
      let test = try TestDaemon()
      let clients = try (0..<1100).map { _ in try test.connect() }
      for client in clients { try client.send("Passcode.Status") }
      for client in clients { #expect(try client.receive().reply?["state"]?.text == "absent") }
      #expect(test.daemon.connectionCount == 1100)
      #expect(LockedMemory.mappedByteCount <= LockedMemory.budget)
      #expect(try isServed(test))
    }

    @Test("one connection too many, where none is idle, is told that the daemon is busy; the place is free again afterwards")
    func tooMany() throws {
      let test = try TestDaemon { ($0.limits.connections, $0.limits.reservedConnections) = (2, 0) }
      var clients: [RawClient]? = try (0..<2).map { _ in try test.connect() }
      for client in clients! {
        try client.send("Passcode.Monitor", flag: "more")
        _ = try client.receive()
      }
      let third = try test.connect()
      #expect(try third.receive().errorName == "Busy")
      #expect(third.waitForClose())
      clients = nil
      while test.daemon.connectionCount > 0 { usleep(1000) }
      #expect(try isServed(test))
    }

    @Test("a connection of another user is closed before a byte of it is read")
    func foreignPeer() throws {
      let test = try TestDaemon { configuration in
        let account = configuration.account
        configuration.account = AccountFacts(
          uid: account.uid + 1, userName: "", fullName: "", home: nil, hostName: account.hostName)
      }
      let client = try test.connect()
      try? client.send("Passcode.Status")
      #expect(client.waitForClose())
      #expect(test.log.text.contains("refused a connection of another user (uid \(geteuid()))"))
    }

    @Test(
      "a message that breaks a rule closes its connection without a reply, and no other",
      arguments: [
        "no JSON\u{0}", "[]\u{0}", "{}\u{0}", #"{"method":"a.b.C","more":1}"# + "\u{0}",
        #"{"method":"a.b.C","surplus":1}"# + "\u{0}",
        #"{"method":"a.b.C","more":true,"oneway":true}"# + "\u{0}", "\u{0}",
        #"{"method":"a.b.C","method":"a.b.C"}"# + "\u{0}",
      ])
    func broken(message: String) throws {
      let test = try TestDaemon()
      let (client, other) = (try test.connect(), try test.connect())
      try other.call("Passcode.Status")
      try client.send(text: message)
      do {
        let reply = try client.receiveBytes()
        Issue.record("a reply came: \(String(decoding: reply, as: UTF8.self))")
      } catch {}
      #expect(try other.call("Passcode.Status").errorName == nil)
    }

    @Test("descriptors attached to a message close the connection")
    func attached() throws {
      let test = try TestDaemon()
      let client = try test.connect()
      try sendDescriptor(client.connection.descriptor.raw)
      #expect(client.waitForClose())
      #expect(try isServed(test))
    }

    @Test("a large message that there is no place for is answered with Busy, though its sender had not finished sending")
    func noPlace() throws {
      let test = try TestDaemon { $0.limits.largeMessages = 0 }
      let client = try test.createStore()
      let secret = try base64([UInt8](repeating: 1, count: 1 << 20))
      #expect(try client.error("Credentials.Put", ["name": .string("big"), "secret": .string(secret)]) == "Busy")
      #expect(client.waitForClose())
      #expect(try isServed(test))
    }

    @Test("a large message waits for a place, and goes through when there is one")
    func places() throws {
      let test = try TestDaemon { $0.limits.largeMessages = 1 }
      let client = try test.createStore()
      let secret = try base64([UInt8](repeating: 1, count: 100_000))
      let writers = (0..<4).map { number in
        Background { () -> String? in
          guard let client = try? test.connect() else { return "no connection" }
          let parameters: KeyValuePairs<String, RawClient.Value> = ["name": .string("n\(number)"), "secret": .string(secret)]
          return (try? client.call("Credentials.Put", parameters)).map { $0.errorName ?? "done" }
        }
      }
      #expect(writers.allSatisfy { $0.value() == "done" })
      #expect(try client.call("Credentials.List").reply?["credentials"]?.list.count == 4)
    }
  }
}

/// Lends a client to one other thread.
private struct Sender: @unchecked Sendable {
  // SAFETY: used by one thread only, which is waited for.
  let client: RawClient
  init(_ client: RawClient) { self.client = client }
}

private func sendDescriptor(_ socket: Int32) throws {
  guard clinux_send_descriptor(socket, 0) == 0 else { throw TestFailure("sendmsg") }
}
