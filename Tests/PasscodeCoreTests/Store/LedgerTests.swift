import SecretMemory
import TestSupport
import Testing

@testable import PasscodeCore

@Suite struct LedgerTests {
  private static let boot = [UInt8](repeating: 9, count: 16)

  private static func reading(_ seconds: UInt64, boot: [UInt8] = boot, namespace: UInt64 = 1) -> ClockReading {
    ClockReading(bootID: boot, timeNamespace: namespace, sinceBoot: seconds * 1_000_000_000, wallSeconds: 0)
  }

  private static func randomLedger(_ random: inout SplitMix64) -> AttemptLedger {
    let policy = AttemptPolicy(retryLimit: 20, wipesAtLimit: Bool.random(using: &random))
    var ledger = AttemptLedger()
    for _ in 0..<Int.random(in: 1...80, using: &random) {
      let now = reading(UInt64.random(in: 0...1_000_000, using: &random), boot: randomBytes(16, &random))
      ledger.charge(under: policy, at: now)
      if Int.random(in: 0..<5, using: &random) > 0 {
        _ = ledger.settleWrong(fingerprint: UInt16.random(in: 0...90, using: &random), under: policy, at: now)
      }
    }
    return ledger
  }

  @Test("a ledger that is stored and read again is the same, in its store only")
  func roundTrip() throws {
    var random = SplitMix64.announced()
    for _ in 0..<300 {
      let (store, ledger) = (StoreID.random(), Self.randomLedger(&random))
      let bytes = ledger.encoded(for: store)
      #expect(bytes.count == AttemptLedger.byteCount && bytes.count == 216)
      let read = try #require(AttemptLedger(bytes, of: store))
      #expect(read == ledger && read.encoded(for: store) == bytes)
      #expect(AttemptLedger(bytes, of: .random()) == nil)
    }
    let store = StoreID.random()
    #expect(AttemptLedger(AttemptLedger().encoded(for: store), of: store)?.failures == 0)
  }

  @Test("no changed byte, no other length and no bytes at random are a ledger")
  func damage() {
    var random = SplitMix64.announced()
    let store = StoreID.random()
    let bytes = Self.randomLedger(&random).encoded(for: store)
    for index in bytes.indices {
      var bad = bytes
      bad[index] ^= 1 << Int.random(in: 0..<8, using: &random)
      #expect(AttemptLedger(bad, of: store) == nil)
    }
    for count in [0, 1, 215, 217, 4096] { #expect(AttemptLedger(randomBytes(count, &random), of: store) == nil) }
    for _ in 0..<500 { #expect(AttemptLedger(randomBytes(216, &random), of: store) == nil) }
  }

  @Test("a ledger at random, under a right checksum, is refused or goes on; nothing crashes")
  func hostile() {
    var random = SplitMix64.announced()
    let store = StoreID.random()
    let policy = AttemptPolicy(retryLimit: 3, wipesAtLimit: true)
    for _ in 0..<3000 {
      var body = randomBytes(184, &random)
      body[0] = UInt8.random(in: 0...2, using: &random)
      (body[2], body[3]) = (UInt8.random(in: 0...80, using: &random), 0)
      if Bool.random(using: &random) { for index in 4..<20 { body[index] = 0xFF } }
      let input = store.bytes + body
      guard var ledger = AttemptLedger(body + BLAKE2b.unkeyed(input.span).bytes, of: store) else { continue }
      let now = Self.reading(5)
      _ = ledger.remainingWait(at: now)
      _ = ledger.checkpointed(at: now)
      ledger.charge(under: policy, at: now)
      _ = ledger.settleWrong(fingerprint: 1, under: policy, at: now)
      #expect(AttemptLedger(ledger.encoded(for: store), of: store) == ledger)
    }
  }

  @Test("a wait passes with the boot clock only, and begins anew where that clock says nothing")
  func waits() {
    let policy = AttemptPolicy(retryLimit: nil)
    var ledger = AttemptLedger()
    for _ in 0..<5 { ledger.charge(under: policy, at: Self.reading(100)) }
    func remaining(_ now: ClockReading) -> UInt64 { ledger.remainingWait(at: now).milliseconds }
    #expect(remaining(Self.reading(100)) == 30_000 && remaining(Self.reading(129)) == 1000 && remaining(Self.reading(130)) == 0)
    #expect(remaining(Self.reading(UInt64.max / 1_000_000_000)) == 0)
    for elsewhere in [
      Self.reading(99), Self.reading(500, boot: [UInt8](repeating: 8, count: 16)), Self.reading(500, namespace: 2),
    ] {
      #expect(remaining(elsewhere) == 30_000)
      let anchored = ledger.remainingWait(at: elsewhere).reanchored
      #expect(anchored?.remainingWait(at: elsewhere).milliseconds == 30_000)
      #expect(anchored?.remainingWait(at: elsewhere).reanchored == nil)
    }
    let noted = ledger.checkpointed(at: Self.reading(110))
    #expect(noted.remainingWait(at: Self.reading(110)).milliseconds == 20_000)
    #expect(noted.failures == ledger.failures)
  }

  @Test("waits grow by the factor up to the longest, whatever the policy's numbers are")
  func arithmetic() {
    let policy = AttemptPolicy(retryLimit: 10)
    #expect(
      (0...12).map { policy.waitMilliseconds(afterFailures: $0) / 1000 } == [
        0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 3600, 3600, 3600,
      ])
    #expect(AttemptPolicy(retryLimit: nil).waitMilliseconds(afterFailures: .max) == 3_600_000)
    #expect(AttemptPolicy(retryLimit: 1).waitMilliseconds(afterFailures: 1) == 3_600_000)
    #expect(AttemptPolicy(retryLimit: nil, afterTries: 1, factor: 1).waitMilliseconds(afterFailures: 100) == 30_000)
    for extreme in [
      AttemptPolicy(retryLimit: .max, afterTries: .max, firstSeconds: .max, factor: .infinity, maxSeconds: .max),
      AttemptPolicy(retryLimit: 2, afterTries: 1, firstSeconds: .min, factor: -3, maxSeconds: .min),
      AttemptPolicy(retryLimit: nil, afterTries: 1, firstSeconds: .max, factor: 0, maxSeconds: .max),
    ] {
      for failures in [0, 1, 2, 3, 100, UInt32.max] {
        #expect(extreme.waitMilliseconds(afterFailures: failures) <= 3_155_760_000_000)
      }
    }
    #expect(
      policy.triesRemaining(afterFailures: .max) == 0 && AttemptPolicy(retryLimit: nil).triesRemaining(afterFailures: 3) == nil)
  }
}
