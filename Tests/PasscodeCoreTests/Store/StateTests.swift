import SecretMemory
import TestSupport
import Testing

@testable import PasscodeCore

@Suite struct StateTests {
  private static func randomState(_ random: inout SplitMix64) -> StoreState {
    func number() -> UInt64 { UInt64.random(in: 0 ... .max, using: &random) }
    let slots = (0..<Int.random(in: 0...StoreState.maximumSlots, using: &random)).map { _ in
      SlotInForce(id: UInt32(truncatingIfNeeded: number()), generation: number())
    }
    var state = StoreState(branch: .random(), passcodeSetAt: Int64(bitPattern: number()), slots: slots)
    (state.generation, state.records, state.versions) = (number(), number(), number())
    state.nextRevision = Int64(bitPattern: number())
    state.passcodeProvedAt = Int64(bitPattern: number())
    if Bool.random(using: &random) { state.judgedPolicy = randomDigest(&random) }
    for _ in 0..<5 {
      state.recordSum.add(randomDigest(&random))
      state.versionSum.add(randomDigest(&random))
      state.auditSum.add(randomDigest(&random))
      state.consentSum.add(randomDigest(&random))
    }
    return state
  }

  private static func randomDigest(_ random: inout SplitMix64) -> Digest { Digest(randomBytes(32, &random).span)! }

  @Test("a state that is sealed and opened again is the same; changed, cut, or elsewhere it is corrupt")
  func roundTrip() throws {
    var random = SplitMix64.announced()
    let storeKey = try StoreKey.random()
    let keys = try StoreKeys(storeKey, of: .random())
    for round in 0..<100 {
      let state = Self.randomState(&random)
      let sealed = state.sealed(with: keys.state, of: keys.store)
      #expect(try StoreState(sealed.span, with: keys.state, of: keys.store) == state)
      var bad = sealed
      bad[Int.random(in: 0..<bad.count, using: &random)] ^= 1
      if round % 3 == 0 { bad = Array(sealed.prefix(Int.random(in: 0..<sealed.count, using: &random))) }
      if round % 7 == 0 { bad = randomBytes(Int.random(in: 0...600, using: &random), &random) }
      #expect(throws: StoreError.corrupt(.state)) { try StoreState(bad.span, with: keys.state, of: keys.store) }
      #expect(throws: StoreError.corrupt(.state)) { try StoreState(sealed.span, with: keys.state, of: .random()) }
    }
  }

  @Test("a sum does not depend on the order of rows, and a row that is taken out is as if it had never been")
  func sums() {
    var random = SplitMix64.announced()
    let one = [1] + [UInt8](repeating: 0, count: 31)
    let edge = [Digest([UInt8](repeating: 0xFF, count: 32).span)!, Digest(one.span)!]
    let digests = (0..<40).map { _ in Self.randomDigest(&random) } + edge
    var (forward, backward) = (Accumulator(), Accumulator())
    for digest in digests { forward.add(digest) }
    for digest in digests.reversed() { backward.add(digest) }
    #expect(forward == backward && forward != Accumulator())
    for digest in digests.shuffled(using: &random) { forward.subtract(digest) }
    #expect(forward == Accumulator())
    // All bits set, and one: the carry runs through.
    var zero = Accumulator()
    for digest in edge { zero.add(digest) }
    #expect(zero == Accumulator())
    zero.subtract(edge[1])
    #expect(zero != Accumulator())
    zero.subtract(edge[0])
    #expect(zero == Accumulator())
  }

  @Test("every part of a row's head is in its digest")
  func rowDigests() throws {
    let key = try SymmetricKey<StatePurpose>.random()
    let tag = { (byte: UInt8) in LookupTag([UInt8](repeating: byte, count: 16).span)! }
    let head = RecordHead(
      tag: tag(1), id: .random(), folders: [tag(2), tag(3)], attributes: [tag(4)],
      metadata: PartHead(revision: 5, tag: [UInt8](repeating: 6, count: 16)),
      secret: PartHead(revision: 7, tag: [UInt8](repeating: 8, count: 16)))
    let changes: [(inout RecordHead) -> Void] = [
      { $0.tag = tag(9) }, { $0.id = .random() }, { $0.folders = [tag(3), tag(2)] }, { $0.folders = [tag(2)] },
      // A tag that goes from one list to the other.
      { ($0.folders, $0.attributes) = ([tag(2)], [tag(3), tag(4)]) }, { $0.attributes = [] }, { $0.metadata.revision = 6 },
      { $0.metadata.tag[15] = 0 }, { $0.secret.revision = 8 }, { $0.secret.tag[0] = 0 },
    ]
    let digests =
      [head.digest(with: key)]
      + changes.map { change in
        var changed = head
        change(&changed)
        return changed.digest(with: key)
      }
    #expect(Set(digests).count == digests.count)
    #expect(head.asVersion.digest(with: key) != head.digest(with: key))
  }

  @Test("a history that is sealed and opened again is the same, and knows what it was told")
  func history() throws {
    var random = SplitMix64.announced()
    let storeKey = try StoreKey.random()
    let keys = try StoreKeys(storeKey, of: .random())
    for count in [0, 1, 63, 64, 65, 100] {
      var history = PasscodeHistory(parameters: .floor)
      let digests = (0..<count).map { _ in Self.randomDigest(&random) }
      for digest in digests { history.append(digest) }
      let sealed = keys.seal(history)
      let read = try keys.openHistory(sealed.span)
      #expect(read == history && read.count == min(count, 64))
      for (index, digest) in digests.enumerated() {
        #expect(read.contains(digest, within: 5) == (index >= count - 5))
        #expect(read.contains(digest, within: 100) == (index >= count - 64))
        #expect(!read.contains(digest, within: 0) && !read.contains(digest, within: -1))
      }
      var bad = sealed
      bad[Int.random(in: 0..<bad.count, using: &random)] ^= 1
      #expect(throws: StoreError.corrupt(.history)) { try keys.openHistory(bad.span) }
    }
  }
}
