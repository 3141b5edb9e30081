import Glibc
import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// Something that a store does, and how to tell whether it was done.
struct Act: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var changesPasscode = false
  let run: @Sendable (CredentialStore) throws -> Void
  /// Given the store as it lies on the disk, unlocked with whichever passcode opens it.
  let isDone: @Sendable (CredentialStore) throws -> Bool

  static let all = [
    Act(testDescription: "put") {
      _ = try $0.put("new/one", "1")
    } isDone: {
      try $0.valueIfAny("new/one") == Array("1".utf8)
    },
    Act(testDescription: "put a large one") {
      _ = try $0.put("new/large", secret: secret(large))
    } isDone: {
      try $0.valueIfAny("new/large") == large
    },
    Act(testDescription: "overwrite") {
      _ = try $0.put("a/b", "2")
    } isDone: {
      let value = try $0.value("a/b")
      #expect(value == Array("1".utf8) || value == Array("2".utf8))
      return value == Array("2".utf8)
    },
    Act(testDescription: "delete") {
      try $0.delete("a/b")
    } isDone: {
      try $0.valueIfAny("a/b") == nil
    },
    Act(testDescription: "purge") {
      try $0.delete("a/b", purges: true)
    } isDone: {
      try $0.versions("a/b").isEmpty
    },
    Act(testDescription: "rename") {
      try $0.rename("a/b", to: "c/d")
    } isDone: {
      let (old, new) = (try $0.valueIfAny("a/b"), try $0.valueIfAny("c/d"))
      #expect((old == nil) != (new == nil))
      return new != nil
    },
    Act(testDescription: "set attributes") {
      try $0.changeAttributes(of: Array("a/b".utf8).span, set: [AttributePair(key: "k", value: "w")])
    } isDone: {
      try $0.found([("k", "w")]) == ["a/b"]
    },
    Act(testDescription: "change the passcode", changesPasscode: true) {
      try $0.changePasscode(to: StoreFixture.otherPasscode)
    } isDone: {
      try $0.proves(StoreFixture.otherPasscode)
    },
  ]

  static let large = [UInt8](repeating: 0x5A, count: 50_000)
  static let names = ["a/b", "c/d", "new/one", "new/large", "other"]

  static func fill(_ store: CredentialStore) throws {
    _ = try store.put("a/b", "0")
    _ = try store.put("a/b", "1", PutOptions(attributes: [AttributePair(key: "k", value: "v")]))
    _ = try store.put("other", "stays")
  }
}

extension CredentialStore {
  func proves(_ passcode: String) throws -> Bool {
    switch try prove(secret(passcode)) {
    case .right: true
    case .wrong: false
    }
  }
}

@Suite struct FaultTests {
  private static let passcodes = [StoreFixture.passcode, StoreFixture.otherPasscode]

  /// Opens the store as it lies on the disk, and looks whether the act was done.
  private func inspect(_ fixture: StoreFixture, _ act: Act) throws -> Bool {
    fixture.faults?.clear()
    let openers = try act.changesPasscode ? fixture.openers(among: Self.passcodes) : [StoreFixture.passcode]
    try #require(openers.count == 1, "exactly one passcode opens the store, not \(openers)")
    let store = try fixture.openUnlocked(passcode: openers[0])
    defer { try? store.close() }
    #expect(try store.value("other") == Array("stays".utf8))
    try expectConsistent(store, names: Act.names)
    return try act.isDone(store)
  }

  /// Does the act on the template, with every change of a file failing from one position on. With the power cut, what was not
  /// synced is lost as well.
  ///
  /// - Returns: whether that position was reached.
  private func interrupt(_ fixture: StoreFixture, _ template: [UInt8], _ act: Act, at position: Int, cutsPower: Bool) throws
    -> Bool
  {
    let faults = try #require(fixture.faults)
    remove(fixture.path + "-wal")
    try overwrite(fixture.path, template)
    var error: (any Error)?
    var isReached = false
    do {
      let store = try fixture.openUnlocked()
      // What was written until here is not part of the act.
      try store.storage.checkpoint()
      faults.stop(after: position)
      do { try act.run(store) } catch let failure { error = failure }
      isReached = faults.failures > 0
      if cutsPower { faults.cutPower() }
      withExtendedLifetime(store) {}
    }
    #expect(try inspect(fixture, act) || error != nil, "acknowledged, and not there: position \(position)")
    return isReached
  }

  @Test(
    "SC-4: interrupted at any write, sync or truncation, an act is done whole or not at all, and what was acknowledged is there",
    arguments: Act.all, [false, true])
  func interruption(_ act: Act, cutsPower: Bool) throws {
    try withClosedStore(withFaults: true, fill: Act.fill) { fixture in
      let template = try content(fixture.path)
      var position = 0
      while try interrupt(fixture, template, act, at: position, cutsPower: cutsPower) { position += 1 }
      // At least two pages and their sync.
      #expect(position >= 3)
    }
  }

  @Test(
    "SC-1: any one failing call leaves the old content or the new, and the same open store goes on",
    arguments: Act.all, [FaultVFS.Call.write, .sync, .truncate, .read])
  func oneFault(_ act: Act, _ call: FaultVFS.Call) throws {
    try withClosedStore(withFaults: true, fill: Act.fill) { fixture in
      let faults = try #require(fixture.faults)
      let template = try content(fixture.path)
      for position in 0..<500 {
        remove(fixture.path + "-wal")
        try overwrite(fixture.path, template)
        let store = try fixture.openUnlocked()
        try store.storage.checkpoint()
        faults.fail(call, after: position, with: call == .write ? ENOSPC : EIO)
        var failure: StoreError?
        do { try act.run(store) } catch let error as StoreError { failure = error }
        let isReached = faults.failures > 0
        faults.clear()
        if let failure {
          #expect(failure.isOfStorage, "\(failure) at \(position)")
          if call == .write { #expect(failure == .storage(.full)) }
        }
        // Still unlocked and whole, and able to do it.
        #expect(try store.value("other") == Array("stays".utf8))
        if try !act.isDone(store) { try act.run(store) }
        #expect(try act.isDone(store))
        try expectConsistent(store, names: Act.names)
        try store.close()
        withExtendedLifetime(store) {}
        if !isReached {
          #expect(position > 0 || call == .truncate || call == .read)
          return
        }
      }
      Issue.record("the fault was never outrun")
    }
  }
}
