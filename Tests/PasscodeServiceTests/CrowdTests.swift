import Glibc
import PasscodePlatform
import PasscodeWire
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeService

extension LockedMemoryTests {
  /// Clients that take places and memory and do nothing with them, and those who come after them.
  @Suite struct CrowdTests {
    private static let never = Duration.seconds(3600)

    /// A daemon whose patience with clients does not end within a test.
    private func patientDaemon(_ adjusting: (inout ServiceLimits) -> Void = { _ in }) throws -> TestDaemon {
      try TestDaemon {
        $0.limits.receiving = Self.never
        $0.limits.sending = Self.never
        $0.limits.stopping = Self.never
        adjusting(&$0.limits)
      }
    }

    private func state(_ client: RawClient) throws -> String? {
      try client.call("Passcode.Status").reply?["state"]?.text
    }

    private func large(_ test: TestDaemon) throws -> (RawClient, secret: String) {
      let client = try test.createStore()
      let secret = try base64([UInt8](repeating: 7, count: 1 << 20))
      #expect(try client.error("Credentials.Put", ["name": .string("big"), "secret": .string(secret)]) == nil)
      return (client, secret)
    }

    /// Begins a large message and stops.
    private func stopHalfway(_ client: RawClient) throws {
      let start = #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"half","secret":""#
      try client.send(text: start + String(repeating: "A", count: 100_000))
    }

    /// Asks for what is larger than a socket holds, and does not take it.
    private func askAndTakeNothing(_ client: RawClient) throws {
      try client.send("Credentials.Get", ["name": .string("big")])
    }

    private func waitForMemory(over count: Int) { while LockedMemory.mappedByteCount <= count { usleep(1000) } }

    // MARK: - Connections

    @Test("where all connections are idle, the one that has been so the longest gives way; one that was used goes last")
    func idle() throws {
      let test = try patientDaemon { ($0.connections, $0.reservedConnections) = (3, 0) }
      let used = try test.connect()
      #expect(try state(used) == "absent")
      let silent = try (0..<2).map { _ in
        let client = try test.connect()
        usleep(20_000)
        return client
      }
      while test.daemon.connectionCount < 3 { usleep(1000) }
      let next = try test.connect()
      #expect(try state(next) == "absent")
      #expect(try silent[0].receive().errorName == "Busy")
      #expect(silent[0].waitForClose())
      #expect(try state(used) == "absent")
      #expect(try state(test.connect()) == "absent")
      #expect(silent[1].waitForClose())
      #expect(try state(used) == "absent" && state(next) == "absent")
    }

    @Test("idle connections, and those with half a message, keep nobody out, however many come")
    func manyIdle() throws {
      let test = try patientDaemon { ($0.connections, $0.reservedConnections) = (20, 0) }
      let silent = try (0..<50).map { _ in try test.connect() }
      #expect(try state(test.connect()) == "absent")
      let halves = try (0..<20).map { _ in
        let client = try test.connect()
        try client.send(text: #"{"method":"#)
        return client
      }
      var answer: String?
      // They have a second to go on.
      while answer == nil { answer = try? state(test.connect()) }
      #expect(answer == "absent")
      withExtendedLifetime((silent, halves)) {}
    }

    @Test("a flow or a monitor is not closed for others: who comes then has Status, Lock and Stop, and Busy for all else")
    func reserve() throws {
      let test = try patientDaemon { ($0.connections, $0.reservedConnections) = (3, 2) }
      let client = try test.createStore()
      try client.call("Passcode.StartFlow", ["flow": .string("change")])
      let watchers = try (0..<2).map { _ in
        let client = try test.connect()
        try client.send("Passcode.Monitor", flag: "more")
        _ = try client.receive()
        return client
      }
      let late = try test.connect()
      #expect(try state(late) == "unlocked")
      try late.send("Passcode.Monitor", flag: "more")
      #expect(try late.receive().errorName == "Busy")
      #expect(try late.error("Credentials.Get", ["name": .string("a")]) == "Busy")
      #expect(try late.error("Passcode.StartFlow", ["flow": .string("change")]) == "Busy")
      let crowd = try (0..<10).map { _ in try test.connect() }
      #expect(try client.call("Passcode.EnterPasscode", ["passcode": .string("wrong")]).errorName == "WrongPasscode")
      #expect(try test.connect().error("Passcode.Lock") == nil)
      for watcher in watchers { #expect(try watcher.receive().reply?["state"]?.text == "locked") }
      // Room for it again: it is an ordinary connection.
      watchers[0].connection.shutdown()
      while test.daemon.connectionCount > 4 { usleep(1000) }
      let ordinary = try test.connect()
      #expect(try ordinary.error("Credentials.Get", ["name": .string("a")]) == "Locked")
      #expect(try test.connect().error("Passcode.Stop") == nil)
      test.waitForEnd()
      withExtendedLifetime(crowd) {}
    }

    // MARK: - Large messages, replies, memory

    @Test(
      "SC-36: halves of large messages keep nobody from theirs, not if a byte comes in now and then either",
      arguments: [false, true])
    func halves(isTrickling: Bool) throws {
      let test = try patientDaemon()
      let (client, secret) = try large(test)
      let senders = try (0..<2).map { _ in
        let client = try test.connect()
        try stopHalfway(client)
        return client
      }
      let isOver = Monitor(false)
      let trickle = Background { [lent = senders.map(Lent.init)] in
        while isTrickling, !isOver.withLock({ $0 }) {
          for sender in lent { try? sender.client.send(text: "A") }
          usleep(100_000)
        }
      }
      for _ in 0..<3 {
        #expect(try client.error("Credentials.Put", ["name": .string("other"), "secret": .string(secret)]) == nil)
      }
      isOver.withLock { $0 = true }
      trickle.value()
      // Either of the two is closed: the daemon takes the one that it looks at first.
      let closed = try #require(senders.first { $0.connection.isPeerGone() })
      #expect(try closed.receive().errorName == "Busy")
      #expect(test.log.text.contains("it kept others waiting"))
    }

    @Test("SC-36: large replies that nobody takes keep nobody from theirs")
    func deafReaders() throws {
      let test = try patientDaemon()
      let (client, secret) = try large(test)
      let deaf = try (0..<2).map { _ in
        let client = try test.connect()
        try askAndTakeNothing(client)
        return client
      }
      for client in deaf { #expect(try client.connection.waitForInput(within: nil)) }
      #expect(try client.call("Credentials.Get", ["name": .string("big")]).reply?["secret"]?.text == secret)
      #expect(try client.call("Credentials.Get", ["name": .string("big")]).reply?["secret"]?.text == secret)
      withExtendedLifetime(deaf) {}
    }

    @Test("large messages that are sent ahead without end do not keep the place from others")
    func endlessMessages() throws {
      let test = try patientDaemon { $0.largeMessages = 1 }
      let (client, secret) = try large(test)
      let flood = try test.connect()
      let message = RawClient.message("Credentials.Put", ["name": .string("flood"), "secret": .string(secret)])
      let sender = Background { [lent = Lent(flood)] in
        while (try? lent.client.send(bytes: message)) != nil {}
      }
      let reader = Background { [lent = Lent(flood)] in lent.client.waitForClose() }
      usleep(300_000)
      #expect(try client.error("Credentials.Put", ["name": .string("other"), "secret": .string(secret)]) == nil)
      flood.connection.shutdown()
      sender.value()
      #expect(reader.value())
    }

    @Test("replies that nobody takes keep nobody from theirs")
    func deafClients() throws {
      let test = try patientDaemon { $0.replies = 2 }
      let deaf = try (0..<2).map { _ in
        let client = try test.connect()
        for _ in 0..<100 {
          try client.send("org.varlink.service.GetInterfaceDescription", ["interface": .string("org.passcoded.Passcode")])
        }
        return client
      }
      usleep(200_000)
      #expect(try state(test.connect()) == "absent")
      #expect(try state(test.connect()) == "absent")
      withExtendedLifetime(deaf) {}
    }

    @Test("halves of messages that fill the locked memory give way to a large one")
    func memory() throws {
      DescriptorLimit.raise()
      let test = try patientDaemon()
      let (client, secret) = try large(test)
      let held = try SecretBytes(capacity: 3 << 20)
      let halves = try (0..<700).map { _ in
        let client = try test.connect()
        try client.send(text: #"{"method":"#)
        return client
      }
      waitForMemory(over: LockedMemory.budget - (2 << 20))
      let value = RawClient.Value.string(String(secret.prefix(100_000)))
      #expect(try client.error("Credentials.Put", ["name": .string("o"), "secret": value]) == nil)
      withExtendedLifetime(halves) {}
      #expect(held.capacity == 3 << 20)
    }

    @Test("halves of messages that fill the locked memory give way to a large reply")
    func memoryOfLargeReply() throws {
      DescriptorLimit.raise()
      let test = try patientDaemon()
      let (client, secret) = try large(test)
      let halves = try (0..<980).map { _ in
        let client = try test.connect()
        try client.send(
          text: #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"\#(String(repeating: "h", count: 3400))"#)
        return client
      }
      while test.daemon.connectionCount < 981 { usleep(1000) }
      for _ in 0..<3 {
        #expect(try client.call("Credentials.Get", ["name": .string("big")]).reply?["secret"]?.text == secret)
      }
      withExtendedLifetime(halves) {}
    }

    @Test("where halves of messages have used up the locked memory, they give way to a passcode and to what the store does")
    func memoryOfCalls() throws {
      DescriptorLimit.raise()
      let test = try patientDaemon()
      let client = try test.createStore()
      #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("c2VjcmV0")]) == nil)
      let halves = try (0..<500).map { _ in
        let client = try test.connect()
        try client.send(text: #"{"method":"#)
        return client
      }
      while test.daemon.connectionCount < 501 { usleep(1000) }
      let held = try HeldMemory()
      #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
      try held.takeRest()
      #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "c2VjcmV0")
      try held.takeRest()
      #expect(try client.call("Credentials.List").reply?["credentials"]?.list.count == 1)
      withExtendedLifetime((halves, held)) {}
    }

    @Test("large values that come in at the same time do not take from each other what they need")
    func largeValues() throws {
      let test = try patientDaemon()
      let (_, secret) = try large(test)
      let held = try SecretBytes(capacity: 700 << 10)
      let writers = try (0..<2).map { index in
        let lent = Lent(try test.connect())
        return Background {
          (0..<3).compactMap { _ in
            try? lent.client.error("Credentials.Put", ["name": .string("big\(index)"), "secret": .string(secret)])
          }
        }
      }
      for writer in writers { #expect(writer.value() == []) }
      #expect(held.capacity == 700 << 10)
    }

    // MARK: - Locking

    @Test(
      "when Lock is answered, nothing is left of a secret that was not taken, nor of half a message",
      arguments: [true, false], [true, false])
    func lock(isHalf: Bool, isAsked: Bool) throws {
      let test = try patientDaemon()
      let (client, _) = try large(test)
      let slow = try test.connect()
      #expect(try state(slow) == "unlocked")
      while test.daemon.connectionCount != 2 { usleep(1000) }
      let before = LockedMemory.mappedByteCount
      if isHalf {
        try stopHalfway(slow)
        waitForMemory(over: before + (1 << 20))
      } else {
        try askAndTakeNothing(slow)
        #expect(try slow.connection.waitForInput(within: nil))
      }
      if isAsked {
        #expect(try client.error("Passcode.Lock") == nil)
      } else {
        test.clock.turn(seconds: 601)
        #expect(try client.error("Credentials.Show", ["name": .string("big")]) == "Locked")
      }
      #expect(LockedMemory.mappedByteCount < before + (1 << 20))
      #expect(test.daemon.connectionCount == 1)
      #expect(slow.waitForClose())
    }

    @Test("a client that does not take its answer does not hold up the end of the daemon")
    func stop() throws {
      let test = try patientDaemon()
      let (_, _) = try large(test)
      let slow = try test.connect()
      try askAndTakeNothing(slow)
      #expect(try slow.connection.waitForInput(within: nil))
      test.stop()
      #expect(slow.waitForClose())
    }
  }
}

/// Lends a client to other threads.
private struct Lent: @unchecked Sendable {
  // SAFETY: one thread at a time sends, and one receives; both are waited for.
  let client: RawClient
  init(_ client: RawClient) { self.client = client }
}

/// All of the locked memory that is left.
private final class HeldMemory {
  private final class Piece {
    let bytes: SecretBytes
    init(_ count: Int) throws { bytes = try SecretBytes(capacity: count) }
  }

  private var pieces: [Piece] = []

  init() throws { try takeRest() }

  /// Takes what has come free since.
  func takeRest() throws {
    for count in [1 << 20, 64 << 10, LockedMemory.slotByteCount] {
      while let piece = try? Piece(count) { pieces.append(piece) }
    }
  }
}
