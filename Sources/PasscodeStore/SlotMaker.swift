internal import PasscodeCore
internal import SecretMemory

/// Makes the passcode slot of a new passcode: cost, salt, device key.
struct SlotMaker {
  private let policy: PasscodePolicy
  private let options: StoreOptions
  private let previous: SlotHeader?

  init(_ policy: PasscodePolicy, _ options: StoreOptions, replacing previous: SlotHeader?) {
    self.policy = policy
    self.options = options
    self.previous = previous
  }

  /// - Throws: `outOfMemory`, `deviceKeyMissing`, `storage`, `secretMemory`.
  func make(_ text: borrowing SecretBytes, _ storeKey: borrowing StoreKey, _ store: StoreID) throws(StoreError) -> Slot {
    let parameters = try cost()
    let salt = SecureRandom.bytes(Argon2id.saltByteCount)
    let deviceKey = try deviceKey()
    let deviceKeyID: DeviceKeyID? =
      switch deviceKey {
      case .some(let key): DeviceKeyID(of: key)
      case .none: nil
      }
    let header = SlotHeader(
      kind: .passcode, id: previous?.id ?? 1, generation: (previous?.generation ?? 0) + 1,
      derivation: .argon2id(parameters, salt: salt, normalization: PasscodeText.rule), deviceKeyID: deviceKeyID)
    do {
      let key = try Slot.key(ofPasscode: text.bytes, salt: salt, parameters: parameters, deviceKey: deviceKey)
      return Slot(wrapping: storeKey, with: key, as: header, of: store)
    } catch {
      throw error == .derivationOutOfMemory ? .outOfMemory(neededKiB: Int(parameters.memoryKiB)) : .secretMemory(error)
    }
  }

  /// Calibrated, and never under the slot that is replaced.
  private func cost() throws(StoreError) -> Argon2Parameters {
    let wanted: Argon2Parameters
    if let fixed = options.derivation { wanted = fixed } else { wanted = try calibrated(policy.keyDerivation) }
    guard case .argon2id(let old, _, _)? = previous?.derivation else { return wanted }
    return Argon2Parameters(passes: max(wanted.passes, old.passes), memoryKiB: max(wanted.memoryKiB, old.memoryKiB)) ?? wanted
  }

  private func calibrated(_ settings: KeyDerivationSettings) throws(StoreError) -> Argon2Parameters {
    do {
      return try Argon2id.calibrate(
        target: .milliseconds(settings.targetMilliseconds), minimumMemoryKiB: UInt32(clamping: settings.minMemoryMiB * 1024),
        maximumMemoryKiB: UInt32(clamping: settings.maxMemoryMiB * 1024))
    } catch {
      throw error == .derivationOutOfMemory ? .outOfMemory(neededKiB: settings.minMemoryMiB * 1024) : .secretMemory(error)
    }
  }

  /// The policy's, or the one that the replaced slot had: a change of passcode never takes protection away.
  private func deviceKey() throws(StoreError) -> DeviceKey? {
    guard policy.deviceKey || previous?.deviceKeyID != nil else { return nil }
    guard let path = options.deviceKeyPath else { throw .deviceKeyMissing }
    return try DeviceKeyFile(path: path).loadOrMake()
  }
}
