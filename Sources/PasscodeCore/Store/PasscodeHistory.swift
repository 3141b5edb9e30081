public import SecretMemory

/// The earlier passcodes, without the one in force, as digests of keys derived from them with one salt of their own: a candidate
/// costs one derivation, however many there are.
///
/// Plaintext layout, integers little-endian: `layout 1 ‖ passes 4 ‖ memory KiB 4 ‖ salt 16 ‖ count 2 ‖ digest 32…`, newest last;
/// sealed with the history key, associated data `"passcoded/v1/history" ‖ store id`.
public struct PasscodeHistory: Hashable, Sendable {
  /// The most that is ever kept.
  public static let maximumDepth = 64
  static let layout: UInt8 = 1

  /// What a derivation costs.
  public let parameters: Argon2Parameters
  private let salt: [UInt8]
  private var digests: [Digest] = []

  /// An empty history with a fresh salt.
  public init(parameters: Argon2Parameters) {
    self.parameters = parameters
    salt = SecureRandom.bytes(Argon2id.saltByteCount)
  }

  /// How many passcodes are remembered.
  public var count: Int { digests.count }

  /// What is remembered of a passcode. Takes one derivation.
  ///
  /// - Throws: `derivationOutOfMemory`, `allocationFailed`.
  public func digest(of passcode: Span<UInt8>) throws(SecretMemoryError) -> Digest {
    let key = try Argon2id.derive(passcode, salt: salt.span, parameters: parameters, for: PasscodePurpose.self)
    return BLAKE2b.keyed(label: "passcoded/v1/history-entry", Span(), Span(), using: key)
  }

  /// Whether one of the last `depth` passcodes has this digest.
  public func contains(_ digest: Digest, within depth: Int) -> Bool { digests.suffix(max(0, depth)).contains(digest) }

  /// Remembers a passcode; the oldest beyond ``maximumDepth`` is forgotten.
  public mutating func append(_ digest: Digest) {
    digests.append(digest)
    digests = digests.suffix(Self.maximumDepth)
  }
}

extension StoreKeys {
  /// Seals the history of passcodes.
  public func seal(_ history: PasscodeHistory) -> [UInt8] {
    let associatedData = historyAssociatedData
    return XChaCha20Poly1305.seal(history.encoded.span, using: self.history, authenticating: associatedData.span)
  }

  /// Opens the history of passcodes.
  ///
  /// - Throws: `corrupt(.history)`; `secretMemory`.
  public func openHistory(_ sealed: Span<UInt8>) throws(StoreError) -> PasscodeHistory {
    let associatedData = historyAssociatedData
    do {
      var plain = try SecretBytes(capacity: max(0, sealed.count - XChaCha20Poly1305.overhead))
      try XChaCha20Poly1305.open(sealed, using: self.history, authenticating: associatedData.span, into: &plain)
      if let history = PasscodeHistory(plain.bytes) { return history }
    } catch { throw StoreError(opening: .history, error) }
    throw .corrupt(.history)
  }

  private var historyAssociatedData: [UInt8] {
    var writer = ByteWriter()
    writer.text("passcoded/v1/history")
    writer.raw(store.bytes)
    return writer.bytes
  }
}

extension PasscodeHistory {
  fileprivate var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.layout)
    writer.integer(parameters.passes)
    writer.integer(parameters.memoryKiB)
    writer.raw(salt)
    writer.integer(UInt16(digests.count))
    for digest in digests { writer.raw(digest.bytes) }
    writer.raw([UInt8](repeating: 0, count: Padding.paddedCount(writer.bytes.count) - writer.bytes.count))
    return writer.bytes
  }

  fileprivate init?(_ plain: Span<UInt8>) {
    var reader = ByteReader(plain)
    guard reader.integer(UInt8.self) == Self.layout, let passes = reader.integer(UInt32.self),
      let memory = reader.integer(UInt32.self), let parameters = Argon2Parameters(passes: passes, memoryKiB: memory),
      let salt = reader.raw(Argon2id.saltByteCount), let count = reader.integer(UInt16.self), count <= Self.maximumDepth
    else { return nil }
    self.parameters = parameters
    self.salt = salt
    for _ in 0..<count {
      guard let bytes = reader.raw(Digest.byteCount), let digest = Digest(bytes.span) else { return nil }
      digests.append(digest)
    }
  }
}
