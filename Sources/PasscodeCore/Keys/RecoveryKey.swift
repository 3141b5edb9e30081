public import SecretMemory

/// What is wrong with a typed recovery key.
public enum RecoveryKeyFault: Error, Equatable, Sendable {
  /// Not 36 characters of the alphabet, or the last four do not fit the others: mistyped. Not a wrong key.
  case mistyped
  /// Locked memory is used up.
  case secretMemory(SecretMemoryError)
}

/// A key on paper: the way back after a forgotten passcode.
///
/// 160 random bits as 32 characters of Crockford's base32 and 4 check characters (20 bits of a digest), in nine groups of four:
/// `7ZK2-…-QW0M`. Reading takes small letters, spaces, ends of lines and dashes of any kind, and what people write for `0` and `1`
/// (`o`, `i`, `l`); a slip is told from a wrong key with certainty but for one in a million.
///
/// Secrets: this type owns the bits and wipes them; the printed form is made in locked memory.
public struct RecoveryKey: ~Copyable, Sendable {
  /// Length of the key, in bytes.
  public static let byteCount = 20
  /// Length of the printed form, dashes included.
  public static let printedCount = 44
  private static let characterCount = 36
  private static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

  private let bits: SecretBytes

  /// A fresh random key.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  public static func random() throws(SecretMemoryError) -> RecoveryKey {
    var bits = try SecretBytes(capacity: byteCount)
    while bits.count < byteCount { try bits.append(0) }
    var bytes = bits.mutableBytes
    SecureRandom.fill(&bytes)
    return RecoveryKey(bits: bits)
  }

  /// Reads a typed key. O(n).
  ///
  /// - Throws: `mistyped`; `secretMemory`.
  public static func read(_ typed: Span<UInt8>) throws(RecoveryKeyFault) -> RecoveryKey {
    do {
      var values = try SecretBytes(capacity: characterCount)
      var index = 0
      while index < typed.count {
        let skipped = separatorLength(in: typed, at: index)
        index += max(1, skipped)
        if skipped > 0 { continue }
        guard let value = value(of: typed[index - 1]), values.count < characterCount else { throw RecoveryKeyFault.mistyped }
        try values.append(value)
      }
      guard values.count == characterCount else { throw RecoveryKeyFault.mistyped }
      var bits = try SecretBytes(capacity: byteCount)
      try packBits(of: values.bytes, into: &bits)
      let key = RecoveryKey(bits: bits)
      guard checkIsRight(values.bytes, try key.check()) else { throw RecoveryKeyFault.mistyped }
      return key
    } catch let fault as RecoveryKeyFault { throw fault } catch let error as SecretMemoryError {
      throw .secretMemory(error)
    } catch { throw .mistyped }
  }

  private init(bits: consuming SecretBytes) { self.bits = bits }

  /// The form to print: nine groups of four characters with dashes, in locked memory.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  public borrowing func printed() throws(SecretMemoryError) -> SecretBytes {
    var text = try SecretBytes(capacity: Self.printedCount)
    let check = try check()
    for index in 0..<Self.characterCount {
      if index > 0, index % 4 == 0 { try text.append(UInt8(ascii: "-")) }
      let value = index < 32 ? Self.value(at: index, of: bits.bytes) : Self.checkValue(check, index - 32)
      try text.append(Self.alphabet.character(Int(value)))
    }
    return text
  }

  /// The key of the slot that it opens.
  ///
  /// - Throws: `lockedMemoryExhausted`, `allocationFailed`.
  public borrowing func slotKey() throws(SecretMemoryError) -> SlotKey {
    let secret = try secret()
    return try SlotKey(secret: secret.bytes)
  }

  /// The key as a method's secret: 20 bytes and 12 zeros.
  private borrowing func secret() throws(SecretMemoryError) -> SecretBytes {
    var secret = try SecretBytes(capacity: 32)
    try secret.append(contentsOf: bits.bytes)
    while secret.count < 32 { try secret.append(0) }
    return secret
  }

  /// Twenty bits of a digest: they tell slips apart and give nothing of 160 random bits away.
  private borrowing func check() throws(SecretMemoryError) -> UInt32 {
    let secret = try secret()
    let key = try SymmetricKey<MethodSecretPurpose>(copying: secret.bytes)
    let digest = BLAKE2b.keyed(label: "passcoded/v1/recovery-check", Span(), Span(), using: key)
    return digest.withBytes { UInt32($0[0]) | UInt32($0[1]) << 8 | UInt32($0[2] & 0xF) << 16 }
  }

  /// How many bytes a space, an end of a line or a dash takes that begins at `index`: what programs for text put in the place of
  /// either is one as well. 0 where none begins there.
  private static func separatorLength(in typed: Span<UInt8>, at index: Int) -> Int {
    switch typed[index] {
    case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return 1
    case 0xC2 where index + 1 < typed.count:
      // No-break space, soft hyphen.
      return typed[index + 1] == 0xA0 || typed[index + 1] == 0xAD ? 2 : 0
    case 0xE2...0xEF where index + 2 < typed.count:
      let point = UInt32(typed[index] & 0xF) << 12 | UInt32(typed[index + 1] & 0x3F) << 6 | UInt32(typed[index + 2] & 0x3F)
      switch point {
      // Spaces, also of no width, and dashes; ends of a line; narrow, mathematical and ideographic space; word joiner.
      case 0x2000...0x200B, 0x2010...0x2015, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000: return 3
      // Minus, small and wide hyphens, byte order mark.
      case 0x2212, 0xFE58, 0xFE63, 0xFF0D, 0xFEFF: return 3
      default: return 0
      }
    default: return 0
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 0x20 : byte
    let letter =
      switch upper {
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: upper
      }
    return (0..<32).first { alphabet.character($0) == letter }.map(UInt8.init)
  }

  /// The five bits at `index`, the first bits of the key first.
  private static func value(at index: Int, of bits: Span<UInt8>) -> UInt8 {
    var value: UInt8 = 0
    for bit in index * 5..<index * 5 + 5 { value = value << 1 | (bits[bit / 8] >> UInt8(7 - bit % 8)) & 1 }
    return value
  }

  private static func packBits(of values: Span<UInt8>, into bits: inout SecretBytes) throws(SecretMemoryError) {
    for byte in 0..<byteCount {
      var packed: UInt8 = 0
      for bit in byte * 8..<byte * 8 + 8 { packed = packed << 1 | (values[bit / 5] >> UInt8(4 - bit % 5)) & 1 }
      try bits.append(packed)
    }
  }

  private static func checkValue(_ check: UInt32, _ index: Int) -> UInt8 { UInt8(check >> UInt32(5 * index) & 31) }

  private static func checkIsRight(_ values: Span<UInt8>, _ check: UInt32) -> Bool {
    (0..<4).allSatisfy { values[32 + $0] == checkValue(check, $0) }
  }
}

extension StaticString {
  fileprivate func character(_ index: Int) -> UInt8 { withUTF8Buffer { unsafe $0[index] } }
}

/// A recovery key as a way into a store. It is on paper: nothing is kept and nothing can be forgotten.
public final class RecoveryMethod: UnlockMethod {
  /// A recovery slot.
  public let kind = SlotKind.recovery
  private let key: RecoveryKey

  /// The way in of this key.
  public init(_ key: consuming RecoveryKey) { self.key = key }

  /// The slot key of this recovery key.
  public func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    do { return try key.slotKey() } catch { throw UnlockMethodFault("no locked memory is left; try again") }
  }

  /// The slot key of this recovery key.
  public func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try enroll(for: store, generation: generation)
  }

  /// Nothing is kept.
  public func withdraw(from store: StoreID) {}
}
