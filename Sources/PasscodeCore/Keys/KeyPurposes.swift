public import SecretMemory

/// The key that every credential depends on; random, wrapped by each slot, never derived from a passcode.
public enum StorePurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/store"
}
/// What Argon2id makes of a passcode, before a device key is mixed in.
public enum PasscodePurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/passcode"
}
/// The key that wraps the store key in one slot.
public enum SlotPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/slot"
}
/// Seals both parts of every record and version.
public enum RecordPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/record"
}
/// Keys the lookup tags of names and folders.
public enum NameTagPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/name-tag"
}
/// Keys the lookup tags of attribute pairs.
public enum AttributeTagPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/attribute-tag"
}
/// Seals the state row and keys the accumulators.
public enum StatePurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/state"
}
/// Seals the list of earlier passcodes.
public enum HistoryPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/history"
}
/// Seals the audit log.
public enum AuditPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/audit"
}
/// Seals the consent records' signing key.
public enum ConsentPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/consent"
}
/// A random key outside the store that a passcode slot can depend on as well.
public enum DevicePurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/device"
}

/// The store key.
public typealias StoreKey = SymmetricKey<StorePurpose>
/// A slot key.
public typealias SlotKey = SymmetricKey<SlotPurpose>
/// A device key.
public typealias DeviceKey = SymmetricKey<DevicePurpose>
