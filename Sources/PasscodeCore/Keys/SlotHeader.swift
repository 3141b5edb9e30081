public import SecretMemory

/// The kinds of ways into a store. A new one is a new case; the layout stays.
public enum SlotKind: UInt8, Sendable {
  /// A passcode.
  case passcode = 1
  /// A random key in the OS keyring: quick unlock.
  case keyring = 2
  /// A printed recovery key.
  case recovery = 3
}

/// How a slot's key comes from what opens it.
public enum SlotDerivation: Hashable, Sendable {
  /// The secret is random already; the slot key is a labelled digest of it.
  case direct
  /// Argon2id over a passcode, normalised by the numbered rule, with a 16-byte salt.
  case argon2id(Argon2Parameters, salt: [UInt8], normalization: UInt8)
}

/// What a slot says of itself in clear: all that is needed to derive its key.
///
/// Layout, 60 bytes, integers little-endian:
///
/// | bytes | field |
/// |---|---|
/// | 1 | layout, 1 |
/// | 1 | kind |
/// | 1 | flags: bit 0, a device key is mixed in |
/// | 1 | normalisation rule, 0 where there is no text |
/// | 4 | slot id |
/// | 8 | generation |
/// | 4 | derivation: 0 direct, 1 Argon2id version 1.3 |
/// | 4 + 4 | passes, memory in KiB; 0 for direct |
/// | 16 | salt; 0 for direct |
/// | 16 | device key's id; 0 for none |
public struct SlotHeader: Hashable, Sendable {
  static let layout: UInt8 = 1
  static let byteCount = 60

  /// What opens it.
  public let kind: SlotKind
  /// Unique within the store.
  public let id: UInt32
  /// One more than that of the slot it replaces; the state row names the generation in force.
  public let generation: UInt64
  /// How its key is derived.
  public let derivation: SlotDerivation
  /// The id of the device key that is mixed in; nil for none.
  public let deviceKeyID: DeviceKeyID?

  /// A header with these values.
  public init(kind: SlotKind, id: UInt32, generation: UInt64, derivation: SlotDerivation, deviceKeyID: DeviceKeyID? = nil) {
    self.kind = kind
    self.id = id
    self.generation = generation
    self.derivation = derivation
    self.deviceKeyID = deviceKeyID
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.layout)
    writer.integer(kind.rawValue)
    writer.integer(UInt8(deviceKeyID == nil ? 0 : 1))
    if case .argon2id(_, _, let rule) = derivation { writer.integer(rule) } else { writer.integer(UInt8(0)) }
    writer.integer(id)
    writer.integer(generation)
    switch derivation {
    case .direct: writer.raw([UInt8](repeating: 0, count: 12 + Argon2id.saltByteCount))
    case .argon2id(let parameters, let salt, _):
      writer.integer(UInt32(1))
      writer.integer(parameters.passes)
      writer.integer(parameters.memoryKiB)
      writer.raw(salt)
    }
    writer.raw(deviceKeyID?.bytes ?? [UInt8](repeating: 0, count: 16))
    return writer.bytes
  }

  /// Reads a header; nil where a value is unknown or out of bounds.
  init?(_ reader: inout ByteReader) {
    guard reader.integer(UInt8.self) == Self.layout, let kind = reader.integer(UInt8.self).flatMap(SlotKind.init),
      let flags = reader.integer(UInt8.self), flags <= 1, let rule = reader.integer(UInt8.self),
      let id = reader.integer(UInt32.self), let generation = reader.integer(UInt64.self),
      let derivation = SlotDerivation(&reader, rule: rule), let device = DeviceKeyID(reader.raw(16))
    else { return nil }
    self.init(
      kind: kind, id: id, generation: generation, derivation: derivation, deviceKeyID: flags == 1 ? device : nil)
  }
}

extension SlotDerivation {
  fileprivate init?(_ reader: inout ByteReader, rule: UInt8) {
    guard let derivation = reader.integer(UInt32.self), let passes = reader.integer(UInt32.self),
      let memory = reader.integer(UInt32.self), let salt = reader.raw(Argon2id.saltByteCount)
    else { return nil }
    switch derivation {
    case 0 where rule == 0 && passes == 0 && memory == 0: self = .direct
    case 1:
      guard rule == PasscodeText.rule, let parameters = Argon2Parameters(passes: passes, memoryKiB: memory) else { return nil }
      self = .argon2id(parameters, salt: salt, normalization: rule)
    default: return nil
    }
  }
}
