import PasscodeCore
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct ValueTests {
  @Test(
    "SC-19: secrets of 0 bytes to 1 MiB are kept whole, over a restart",
    arguments: [0, 1, 123, 124, 125, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, (1 << 20) - 1, 1 << 20])
  func sizes(_ count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let value = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    try withClosedStore(fill: { _ = try $0.put("a", secret: secret(value)) }) { fixture in
      let store = try fixture.openUnlocked()
      #expect(try store.value("a") == value)
      try store.show(Array("a".utf8).span) { metadata, _ in #expect(metadata.secretByteCount == count) }
    }
  }

  @Test("SC-19: 1 MiB and a byte, and 16 MiB, are refused with the limit, and the old value is there")
  func tooLarge() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "old")
      for count in [(1 << 20) + 1, 16 << 20] {
        let value = [UInt8](repeating: 1, count: count)
        #expect(throws: StoreError.tooLarge(limit: 1 << 20)) { try store.put(Array("a".utf8).span, secret: value.span) }
      }
      #expect(try store.value("a") == Array("old".utf8))
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-20: bytes that are no UTF-8, NUL, and a newline at the end come back as they went in")
  func anyBytes() throws {
    let values: [[UInt8]] = [
      [0], [0, 0, 0], Array(0...255), [0xFF, 0xFE, 0x80], Array("line\n".utf8), Array("\r\n\n".utf8), [],
    ]
    try withStore { fixture, store in
      for (index, value) in values.enumerated() { _ = try store.put("v\(index)", secret: secret(value)) }
      for (index, value) in values.enumerated() { #expect(try store.value("v\(index)") == value) }
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-15: a search by some of the attributes finds the item; a value never matches a key, nor another key's value")
  func search() throws {
    try withStore { fixture, store in
      func put(_ name: String, _ pairs: [(String, String)]) throws {
        _ = try store.put(name, "x", PutOptions(attributes: pairs.map { AttributePair(key: $0.0, value: $0.1) }))
      }
      try put("one", [("user", "ann"), ("host", "example.org"), ("port", "22")])
      try put("two", [("user", "bob"), ("host", "example.org")])
      try put("three", [("ann", "user"), ("user", "host")])
      try put("four", [])
      // Where key and value would be glued together the same.
      try put("five", [("ab", "c")])
      try put("six", [("a", "bc")])
      #expect(try store.found([("user", "ann")]) == ["one"])
      #expect(try store.found([("host", "example.org")]) == ["one", "two"])
      #expect(try store.found([("host", "example.org"), ("user", "ann")]) == ["one"])
      #expect(try store.found([("port", "22"), ("host", "example.org"), ("user", "ann")]) == ["one"])
      #expect(try store.found([("user", "ann"), ("host", "other")]) == [])
      #expect(try store.found([("ann", "user")]) == ["three"])
      #expect(try store.found([("user", "user")]) == [])
      #expect(try store.found([("example.org", "host")]) == [])
      #expect(try store.found([("user", "")]) == [])
      #expect(try store.found([("ab", "c")]) == ["five"])
      #expect(try store.found([("a", "bc")]) == ["six"])
      #expect(try store.found([]) == ["five", "four", "one", "six", "three", "two"])
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("attributes stay where a put names none, are replaced where it names some, and change one by one")
  func attributes() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1", PutOptions(type: "text/plain", attributes: [AttributePair(key: "k", value: "v")]))
      _ = try store.put("a", "2")
      #expect(try store.found([("k", "v")]) == ["a"])
      try store.changeAttributes(of: Array("a".utf8).span, set: [AttributePair(key: "k", value: "w")], unset: ["none"])
      #expect(try store.found([("k", "v")]) == [] && store.found([("k", "w")]) == ["a"])
      #expect(try store.value("a") == Array("2".utf8))
      _ = try store.put("a", "3", PutOptions(attributes: []))
      #expect(try store.found([("k", "w")]) == [])
      try store.show(Array("a".utf8).span) { metadata, _ in #expect(bytes(metadata.type) == Array("text/plain".utf8)) }
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("a credential at every limit is kept; beyond each limit it is refused")
  func limits() throws {
    try withStore { fixture, store in
      let name = String(repeating: "n/", count: 511) + "nn"
      let full = (0..<64).map { index in
        AttributePair(
          key: "\(index)" + String(repeating: "k", count: 255 - "\(index)".count), value: String(repeating: "v", count: 4096))
      }
      _ = try store.put(name, secret: secret([UInt8](repeating: 1, count: 1 << 20)), PutOptions(attributes: full))
      #expect(try store.found([(full[63].key, full[63].value)]) == [name])
      #expect(try store.names(in: "n/n/n") == [name])
      #expect(throws: StoreError.invalidName(.tooLong)) { try store.put(name + "n", "1") }
      func fault(_ pairs: [AttributePair]) -> StoreError? {
        #expect(throws: StoreError.self) { try store.put("a", "1", PutOptions(attributes: pairs)) }
      }
      #expect(fault(full + [AttributePair(key: "one more", value: "")]) == .invalidMetadata(.tooManyAttributes))
      #expect(fault([AttributePair(key: "", value: "")]) == .invalidMetadata(.emptyKey))
      #expect(fault([AttributePair(key: String(repeating: "k", count: 256), value: "")]) == .invalidMetadata(.keyTooLong))
      #expect(fault([AttributePair(key: "k", value: String(repeating: "v", count: 4097))]) == .invalidMetadata(.valueTooLong))
      #expect(fault([AttributePair(key: "k", value: "a\u{7}")]) == .invalidMetadata(.controlCharacter))
      #expect(throws: StoreError.invalidMetadata(.typeTooLong)) {
        try store.put("a", "1", PutOptions(type: String(repeating: "t", count: 256)))
      }
      #expect(throws: StoreError.notFound) { try store.value("a") }
      try expectConsistent(store, names: [name])
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-5: a locked store answers locked to every question, whether the name is there or not")
  func locked() throws {
    try withStore { fixture, store in
      _ = try store.put("there", "1")
      store.lock()
      for name in ["there", "not there"] {
        let bytes = Array(name.utf8)
        #expect(throws: StoreError.locked) { try store.value(name) }
        #expect(throws: StoreError.locked) { try store.value(name, version: 1) }
        #expect(throws: StoreError.locked) { try store.put(name, "2") }
        #expect(throws: StoreError.locked) { try store.put(name, "2", PutOptions(replaces: false)) }
        #expect(throws: StoreError.locked) { try store.show(bytes.span) { _, _ in } }
        #expect(throws: StoreError.locked) { try store.history(bytes.span) { _, _ in } }
        #expect(throws: StoreError.locked) { try store.restore(bytes.span, version: 1) }
        #expect(throws: StoreError.locked) { try store.rename(name, to: "other") }
        #expect(throws: StoreError.locked) { try store.delete(name) }
        #expect(throws: StoreError.locked) { try store.changeAttributes(of: bytes.span, set: []) }
        #expect(throws: StoreError.locked) { try store.names(in: name) }
        #expect(throws: StoreError.locked) { try store.found([(name, name)]) }
      }
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("lock waits for calls that are under way, and no call after it finds a key")
  func lockWaits() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1")
      let (inside, goesOn) = (Gate(), Gate())
      let reader = Background { () -> Bool in
        (try? store.withSecret("a") { secret in
          inside.open()
          goesOn.wait()
          #expect(bytes(secret) == Array("1".utf8))
        }) != nil
      }
      inside.wait()
      let locker = Background { store.lock() }
      while store.condition != .locked {}
      #expect(throws: StoreError.locked) { try store.value("a") }
      #expect(locker.finished == nil)
      goesOn.open()
      locker.value()
      #expect(reader.value())
      #expect(throws: StoreError.locked) { try store.value("a") }
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("readers that are many and slow hold up neither each other nor writers nor the passcode")
  func slowReaders() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1")
      let goesOn = Gate()
      let readers = (0..<12).map { _ in
        let inside = Gate()
        let reader = Background {
          (try? store.withSecret("a") { _ in
            inside.open(); goesOn.wait()
          }) != nil
        }
        inside.wait()
        return reader
      }
      _ = try store.put("a", "2")
      try store.delete("a", purges: true)
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      goesOn.open()
      #expect(readers.allSatisfy { $0.value() })
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("a store in memory does what a store in a file does, and two of them are two")
  func inMemory() throws {
    let engine = try PolicyEngine(policy: PasscodePolicy())
    let store = try CredentialStore.inMemory(passcode: secret(StoreFixture.passcode), engine: engine)
    let other = try CredentialStore.inMemory(passcode: secret(StoreFixture.passcode), engine: engine)
    _ = try store.put("a/b", "1", PutOptions(attributes: [AttributePair(key: "k", value: "v")]))
    _ = try store.put("a/b", "2")
    try store.rename("a/b", to: "c")
    #expect(try store.found([("k", "v")]) == ["c"])
    #expect(try other.names() == [])
    store.lock()
    try store.guess()
    #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    try store.changePasscode(to: StoreFixture.otherPasscode)
    #expect(try store.value("c") == Array("2".utf8))
    try expectConsistent(store, names: ["a/b", "c"])
    try store.close()
  }

  @Test("twenty threads that put to one name leave one value and the history of the others")
  func contention() throws {
    try withStore { fixture, store in
      let writers = (0..<20).map { thread in
        Background { (0..<5).allSatisfy { (try? store.put("a", "\(thread)-\($0)")) != nil } }
      }
      #expect(writers.allSatisfy { $0.value() })
      #expect(try store.versions("a").count == 6)
      try expectConsistent(store, names: ["a"])
      withExtendedLifetime(fixture) {}
    }
  }
}

/// Opens once, for all who wait.
final class Gate: Sendable {
  private let isOpen = Monitor(false)
  func open() { isOpen.broadcast { $0 = true } }
  func wait() { isOpen.wait { $0 ? () : nil } }
}
