import Glibc
import PasscodeCore
import PasscodeStore
import SecretMemory
import Synchronization
import TestSupport
import Testing

/// A way in whose secret is in this test: without it each of thousands of openings would take a derivation.
private final class OpenDoor: UnlockMethod {
  let kind = SlotKind.keyring
  private let kept = Mutex<[UInt8]>([])

  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    kept.withLock { $0 = SecureRandom.bytes(32) }
    return try recall(for: store, generation: generation)
  }

  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    let secret = kept.withLock { $0 }
    do { return try SlotKey(secret: secret.span) } catch { throw UnlockMethodFault("no memory") }
  }

  func withdraw(from store: StoreID) throws(UnlockMethodFault) {}
}

/// One byte of the file changed at a time. `scripts/flip-bytes` has this test change as many as are asked for.
@Suite struct FlipTests {
  /// How a changed byte showed.
  private struct Tally {
    var flips = 0
    var unnoticed = 0
    var refused = 0
    var damaged = 0
    var lost = 0
    var wrong: [String] = []
  }

  private static let count = 1000

  private static func name(_ index: Int) -> String { index % 3 == 0 ? "work/n\(index)" : "n\(index)" }

  private static func value(_ index: Int) -> [UInt8] {
    (0..<16 + index % 50).map { UInt8(truncatingIfNeeded: index &* 7 &+ $0) }
  }

  @Test(
    "Must hold: one byte changed anywhere in a store of 1,000 credentials: each value right, or an error that says what is hurt"
  )
  func flips() throws {
    var generator = SplitMix64.announced()
    let door = OpenDoor()
    try withClosedStore(PasscodePolicy()) { store in
      try Self.fill(store, door)
    } _: { fixture in
      let good = try content(fixture.path)
      var tally = Tally()
      for (offset, mask) in try Self.flips(of: good.count, &generator) {
        var file = good
        file[offset] ^= mask
        try overwrite(fixture.path, file)
        unsafe unlink(fixture.path + "-wal")
        tally.flips += 1
        try Self.look(fixture, door, "byte \(offset) ^ \(mask)", &tally)
      }
      #expect(tally.wrong.isEmpty)
      print(
        "flips: \(tally.flips) of a file of \(good.count) bytes; no effect \(tally.unnoticed), refused at opening \(tally.refused), "
          + "damage told \(tally.damaged); credentials that could not be read \(tally.lost); wrong \(tally.wrong.count)")
    }
  }

  private static func fill(_ store: CredentialStore, _ door: OpenDoor) throws {
    for index in 0..<count {
      let attributes = index % 5 == 0 ? [AttributePair(key: "kind", value: "\(index % 7)")] : []
      try put(index, PutOptions(attributes: attributes), store)
    }
    for index in 0..<100 { try put(index, PutOptions(), store) }
    switch try store.prove(secret(StoreFixture.passcode)) {
    case .right(let proof): try store.add(door, proof)
    case .wrong: throw TestFailure("wrong passcode")
    }
  }

  private static func put(_ index: Int, _ options: PutOptions, _ store: CredentialStore) throws {
    let secret = try secret(value(index))
    _ = try store.put(Array(name(index).utf8).span, secret: secret.bytes, options)
  }

  /// Which bytes, and how: some at random, or of `PASSCODE_FLIP_STRIDE` every so-many-th from `PASSCODE_FLIP_START` on.
  private static func flips(of size: Int, _ generator: inout SplitMix64) throws -> [(Int, UInt8)] {
    func number(_ name: String) -> Int? { unsafe getenv(name).flatMap { unsafe Int(String(cString: $0)) } }
    guard let step = number("PASSCODE_FLIP_STRIDE") else {
      return (0..<60).map { _ in (Int.random(in: 0..<size, using: &generator), 1 << UInt8.random(in: 0..<8, using: &generator))
      }
    }
    let start = number("PASSCODE_FLIP_START") ?? 0
    return stride(from: start, to: size, by: step).map { ($0, 1 << UInt8.random(in: 0..<8, using: &generator)) }
  }

  /// Opens the store and reads all there is.
  private static func look(_ fixture: StoreFixture, _ door: OpenDoor, _ flip: String, _ tally: inout Tally) throws {
    let store: CredentialStore
    do {
      store = try fixture.open()
      guard case .right = try store.unlock(with: door) else { throw StoreError.locked }
    } catch let error as StoreError {
      tally.refused += 1
      if !isTelling(error) { tally.wrong.append("\(flip): \(error)") }
      return
    }
    defer { try? store.close() }
    var lost: Set<String> = []
    for index in 0..<count {
      do throws(StoreError) {
        var value: [UInt8] = []
        try store.get(Array(name(index).utf8).span) { (_, secret) throws(StoreError) in value = bytes(secret) }
        if value != self.value(index) { tally.wrong.append("\(flip): \(name(index)) has another value") }
      } catch {
        lost.insert(name(index))
        if !isTelling(error) { tally.wrong.append("\(flip): \(name(index)): \(error)") }
      }
    }
    let findings = try Findings(store)
    for (name, secret) in findings.taken {
      let index = Int(name.drop { !$0.isNumber })
      if index.map({ self.name($0) != name || value($0) != secret }) ?? true {
        tally.wrong.append("\(flip): takes out \(name)")
      }
    }
    let damage = store.damage
    tally.lost += lost.count
    if damage == nil, findings.tally.isSound {
      tally.unnoticed += 1
      if !lost.isEmpty || findings.taken.count != count { tally.wrong.append("\(flip): \(lost.count) lost, nothing told") }
    } else {
      tally.damaged += 1
    }
    // Each one that is lost is named, or is one of those whose names can't be read.
    let unnamed = findings.hurt.contains { $0.name == nil } || findings.tally.gaps > 0 || damage != nil
    let named = Set(findings.hurt.compactMap(\.name))
    if !unnamed, !lost.isSubset(of: named) { tally.wrong.append("\(flip): lost and not named: \(lost.subtracting(named))") }
  }

  /// Whether an error says that the file is hurt: a passcode that is called wrong, or a credential that is called missing, would not.
  private static func isTelling(_ error: StoreError) -> Bool {
    switch error {
    case .corrupt, .damaged, .notAStore, .formatTooNew, .unlockMethod: true
    default: false
    }
  }
}
