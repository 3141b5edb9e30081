internal import SecretMemory

/// The count of wrong passcode tries and the wait that they cost. Only success clears it.
///
/// A try is charged, durably, before its derivation begins, and settled afterwards: a daemon that dies in between has not
/// refunded it. The wait is kept as a remainder with the boot id and the boot-time clock of the moment it was written: nobody
/// can set that clock. Another boot, another time namespace or a clock that runs back starts the remainder anew.
///
/// Stored form, 216 bytes, integers little-endian: `layout 1 ‖ unsettled 1 ‖ fingerprint count 2 ‖ failures 4 ‖ distinct 4 ‖
/// wait ms 8 ‖ boot id 16 ‖ time namespace 8 ‖ since boot ns 8 ‖ fingerprints 64 × 2 ‖ reserved 4 ‖ checksum 32`. The checksum is
/// BLAKE2b-256 of store id ‖ all before; a damaged ledger means the longest wait, never a wipe.
public struct AttemptLedger: Equatable, Sendable {
  /// Length of the stored form, in bytes.
  public static let byteCount = 184 + Digest.byteCount
  static let layout: UInt8 = 1
  static let maximumFingerprints = 64

  /// Wrong tries since the last success, an unsettled one included.
  public private(set) var failures: UInt32 = 0
  /// Different wrong candidates since the last success, an unsettled one included: what a wipe counts.
  public private(set) var distinctFailures: UInt32 = 0
  /// True between a try's charge and its settlement.
  public private(set) var isUnsettled = false
  private var waitMilliseconds: UInt64 = 0
  private var anchor: ClockReading?
  private var fingerprints: [UInt16] = []

  /// A ledger without a failure.
  public init() {}

  /// Milliseconds still to wait before the next try. 0: go ahead.
  ///
  /// - Returns: also the ledger anchored at `now` where the old anchor says nothing any more; store it then.
  public func remainingWait(at now: ClockReading) -> (milliseconds: UInt64, reanchored: AttemptLedger?) {
    guard waitMilliseconds > 0 else { return (0, nil) }
    guard let anchor, anchor.bootID == now.bootID, anchor.timeNamespace == now.timeNamespace, now.sinceBoot >= anchor.sinceBoot
    else {
      var ledger = self
      ledger.anchor = now
      return (waitMilliseconds, ledger)
    }
    let passed = (now.sinceBoot - anchor.sinceBoot) / 1_000_000
    return (passed >= waitMilliseconds ? 0 : waitMilliseconds - passed, nil)
  }

  /// The same wait, with what has passed taken off: written when the daemon stops, so that a reboot does not start it all anew.
  public func checkpointed(at now: ClockReading) -> AttemptLedger {
    var ledger = self
    ledger.waitMilliseconds = remainingWait(at: now).milliseconds
    ledger.anchor = now
    return ledger
  }

  /// Charges one try as if it had failed already.
  public mutating func charge(under policy: AttemptPolicy, at now: ClockReading) {
    failures = failures == .max ? .max : failures + 1
    distinctFailures = distinctFailures == .max ? .max : distinctFailures + 1
    isUnsettled = true
    startWait(under: policy, at: now)
  }

  /// Settles a try that failed.
  ///
  /// - Parameter fingerprint: 16 bits of a digest of the derived key: the same candidate again does not count towards a wipe.
  /// - Returns: true where the policy's wipe is due.
  public mutating func settleWrong(fingerprint: UInt16, under policy: AttemptPolicy, at now: ClockReading) -> Bool {
    isUnsettled = false
    startWait(under: policy, at: now)
    if fingerprints.contains(fingerprint) {
      distinctFailures -= 1
    } else {
      fingerprints = fingerprints.suffix(Self.maximumFingerprints - 1) + [fingerprint]
    }
    guard policy.wipesAtLimit, let limit = policy.retryLimit else { return false }
    return Int(distinctFailures) >= limit
  }

  private mutating func startWait(under policy: AttemptPolicy, at now: ClockReading) {
    waitMilliseconds = policy.waitMilliseconds(afterFailures: failures)
    anchor = now
  }

  /// The ledger to go on with where the stored one is damaged: the longest wait, and nothing counted towards a wipe.
  public static func damaged(under policy: AttemptPolicy, at now: ClockReading) -> AttemptLedger {
    var ledger = AttemptLedger()
    ledger.failures = UInt32(clamping: max(policy.afterTries, policy.retryLimit ?? 0))
    ledger.waitMilliseconds = policy.longestMilliseconds
    ledger.anchor = now
    return ledger
  }
}

extension AttemptLedger {
  /// The stored form.
  public func encoded(for store: StoreID) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.layout)
    writer.integer(UInt8(isUnsettled ? 1 : 0))
    writer.integer(UInt16(fingerprints.count))
    writer.integer(failures)
    writer.integer(distinctFailures)
    writer.integer(waitMilliseconds)
    writer.raw(anchor?.bootID ?? [UInt8](repeating: 0, count: 16))
    writer.integer(anchor?.timeNamespace ?? 0)
    writer.integer(anchor?.sinceBoot ?? 0)
    for index in 0..<Self.maximumFingerprints { writer.integer(index < fingerprints.count ? fingerprints[index] : 0) }
    writer.integer(UInt32(0))
    writer.raw(Self.checksum(store, writer.bytes))
    return writer.bytes
  }

  /// Reads a stored ledger; nil where it is damaged.
  public init?(_ bytes: [UInt8], of store: StoreID) {
    guard bytes.count == Self.byteCount, Self.checksum(store, Array(bytes.dropLast(32))) == Array(bytes.suffix(32))
    else { return nil }
    var reader = ByteReader(bytes.span)
    guard reader.integer(UInt8.self) == Self.layout, let unsettled = reader.integer(UInt8.self),
      let count = reader.integer(UInt16.self), count <= Self.maximumFingerprints, let failures = reader.integer(UInt32.self),
      let distinct = reader.integer(UInt32.self), let wait = reader.integer(UInt64.self), let boot = reader.raw(16),
      let namespace = reader.integer(UInt64.self), let sinceBoot = reader.integer(UInt64.self)
    else { return nil }
    self.failures = failures
    distinctFailures = distinct
    isUnsettled = unsettled == 1
    waitMilliseconds = wait
    anchor = ClockReading(bootID: boot, timeNamespace: namespace, sinceBoot: sinceBoot, wallSeconds: 0)
    for _ in 0..<count { reader.integer(UInt16.self).map { fingerprints.append($0) } }
  }

  private static func checksum(_ store: StoreID, _ body: [UInt8]) -> [UInt8] {
    let input = store.bytes + body
    return BLAKE2b.unkeyed(input.span).bytes
  }
}
