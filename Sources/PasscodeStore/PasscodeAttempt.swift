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

    let slotKey = try givingBack(before) { () throws(StoreError) in try Self.slotKey(of: text, slot, deviceKey) }
    let opened = try givingBack(before) { () throws(StoreError) in try openInForce(slot, slotKey) }
    guard let storeKey = opened else { return .wrong(try settleWrong(ledger, slotKey)) }
    // A disk that does not take it leaves the try charged: the passcode is right all the same.
    do { try storage.writeLedger(AttemptLedger().encoded(for: id)) } catch { if !error.isOfStorage { throw error } }
    return .right(OpenedSlot(storeKey: storeKey, slot: slot))
  }

  /// Runs a part of a try that fails only where nothing was learnt about the passcode, or it was right: the try is given back then,
  /// if the disk lets it.
  private func givingBack<R: ~Copyable>(
    _ ledger: AttemptLedger, _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    do { return try body() } catch {
      try? storage.writeLedger(ledger.encoded(for: id))
      throw error
    }
  }

  /// The store key; nil for a wrong passcode. An older slot row that was written back is one as well: its passcode counts no more.
  private func openInForce(_ slot: Slot, _ slotKey: borrowing SlotKey) throws(StoreError) -> StoreKey? {
    let opened: StoreKey?
    do { opened = try slot.open(with: slotKey, of: id) } catch { throw StoreError(opening: .slot, error) }
    guard let storeKey = opened, try state(storeKey).isInForce(slot.header) else { return nil }
    return storeKey
  }

  /// The ledger of a try that may go ahead.
  ///
  /// - Throws: `lockedOut`.
  private func admit() throws(StoreError) -> AttemptLedger {
    let ledger = try anchoredLedger()
    let wait = ledger.remainingWait(at: options.clock.now()).milliseconds
    if wait > 0 { throw .lockedOut(retryAfterSeconds: Self.seconds(wait)) }
    return ledger
  }

  /// The ledger. Where the stored one is damaged, or its wait has lost its clock (another boot), the wait begins anew and is stored.
  func anchoredLedger() throws(StoreError) -> AttemptLedger {
    let now = options.clock.now()
    let stored = AttemptLedger(try storage.ledgerRow(), of: id)
    let ledger = stored ?? .damaged(under: attemptPolicy, at: now)
    let anchored = ledger.remainingWait(at: now).reanchored ?? ledger
    if anchored != stored { try storage.writeLedger(anchored.encoded(for: id)) }
    return anchored
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
    try storage.destroy()
    throw .wiped
  }

  /// - Throws: `corrupt(.slot)`; `wiped` where every way in was taken away, and the file could not be removed then.
  private func passcodeSlot() throws(StoreError) -> Slot {
    if try storage.slotRows().isEmpty { throw .wiped }
    guard let slot = try slot(.passcode) else { throw .corrupt(.slot) }
    return slot
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

}
