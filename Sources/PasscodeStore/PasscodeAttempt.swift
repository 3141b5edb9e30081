internal import PasscodeCore
internal import SecretMemory

/// What a try opened.
struct OpenedSlot: ~Copyable {
  let storeKey: StoreKey
  let slot: Slot

  consuming func takeKey() -> StoreKey { storeKey }
}

/// How a try ended.
enum AttemptResult: ~Copyable {
  case right(OpenedSlot)
  case wrong(AttemptFacts)
}

extension CredentialStore {
  /// One try: refuse or charge, derive, open, settle. Runs inside the gate.
  ///
  /// - Parameter text: normalised.
  func attempt(_ text: borrowing SecretBytes) throws(StoreError) -> AttemptResult {
    let slot = try passcodeSlot()
    let deviceKey = try deviceKey(for: slot)
    let before = try admit()
    var ledger = before
    ledger.charge(under: attemptPolicy, at: options.clock.now())
    try storage.writeLedger(ledger.encoded(for: id))

    let slotKey: SlotKey
    do { slotKey = try Self.slotKey(of: text, slot, deviceKey) } catch {
      // Nothing was learnt about the passcode: the try is given back.
      try storage.writeLedger(before.encoded(for: id))
      throw error
    }
    guard let storeKey = try Self.open(slot, slotKey, id) else { return .wrong(try settleWrong(ledger, slotKey)) }
    guard try state(storeKey).isInForce(slot.header) else {
      // An older row was written back: the passcode that it belongs to counts no more.
      return .wrong(try settleWrong(ledger, slotKey))
    }
    try storage.writeLedger(AttemptLedger().encoded(for: id))
    return .right(OpenedSlot(storeKey: storeKey, slot: slot))
  }

  /// The ledger of a try that may go ahead.
  ///
  /// - Throws: `lockedOut`.
  private func admit() throws(StoreError) -> AttemptLedger {
    let now = options.clock.now()
    var ledger: AttemptLedger
    if let stored = AttemptLedger(try storage.ledgerRow(), of: id) {
      ledger = stored
    } else {
      ledger = .damaged(under: attemptPolicy, at: now)
      try storage.writeLedger(ledger.encoded(for: id))
    }
    let (wait, reanchored) = ledger.remainingWait(at: now)
    if let reanchored {
      try storage.writeLedger(reanchored.encoded(for: id))
      ledger = reanchored
    }
    if wait > 0 { throw .lockedOut(retryAfterSeconds: Self.seconds(wait)) }
    return ledger
  }

  private func settleWrong(_ charged: AttemptLedger, _ slotKey: borrowing SlotKey) throws(StoreError) -> AttemptFacts {
    let policy = attemptPolicy
    let now = options.clock.now()
    let digest = BLAKE2b.keyed(label: "passcoded/v1/attempt", Span(), Span(), using: slotKey).bytes
    var ledger = charged
    let isWipeDue = ledger.settleWrong(fingerprint: UInt16(digest[0]) | UInt16(digest[1]) << 8, under: policy, at: now)
    if isWipeDue { try wipe() }
    try storage.writeLedger(ledger.encoded(for: id))
    return facts(of: ledger, policy, now)
  }

  /// Destroys every way in, then the file: nothing is set aside.
  private func wipe() throws(StoreError) {
    vault.lock()
    try StoreReset.destroySlots(of: storage)
    if !path.isEmpty { try StoreReset.unlink(try StoreFile(path: path)) }
    throw .wiped
  }

  func passcodeSlot() throws(StoreError) -> Slot {
    for row in try storage.slotRows() {
      guard let slot = Slot(row, of: id) else { throw .corrupt(.slot) }
      if slot.header.kind == .passcode { return slot }
    }
    throw .corrupt(.slot)
  }

  /// The device key that a slot wants; nil where it wants none.
  private func deviceKey(for slot: Slot) throws(StoreError) -> DeviceKey? {
    guard let wanted = slot.header.deviceKeyID else { return nil }
    guard let path = options.deviceKeyPath else { throw .deviceKeyMissing }
    let key = try DeviceKeyFile(path: path).load()
    guard DeviceKeyID(of: key) == wanted else { throw .deviceKeyMissing }
    return key
  }

  private static func slotKey(
    of text: borrowing SecretBytes, _ slot: Slot, _ deviceKey: borrowing DeviceKey?
  ) throws(StoreError) -> SlotKey {
    guard case .argon2id(let parameters, let salt, _) = slot.header.derivation else { throw .corrupt(.slot) }
    do {
      return try Slot.key(ofPasscode: text.bytes, salt: salt, parameters: parameters, deviceKey: deviceKey)
    } catch {
      throw error == .derivationOutOfMemory ? .outOfMemory(neededKiB: Int(parameters.memoryKiB)) : .secretMemory(error)
    }
  }

  private static func open(_ slot: Slot, _ key: borrowing SlotKey, _ id: StoreID) throws(StoreError) -> StoreKey? {
    do { return try slot.open(with: key, of: id) } catch {
      throw error == .authenticationFailed ? .corrupt(.slot) : .secretMemory(error)
    }
  }
}
