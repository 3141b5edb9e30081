internal import CSodium

/// What a key is for. The label separates keys that are derived from the same key.
///
/// A label serves one purpose only, and is not used for ``BLAKE2b/keyed(label:_:_:using:)`` too.
public protocol KeyPurpose {
  /// A name without NUL, unique among the purposes, and never changed: it is hashed into every key derived for the purpose.
  static var label: StaticString { get }
}

/// A 32-byte key for one purpose, in locked, read-only memory between guard pages.
///
/// The purpose is a type, so that a key can't be used for what it is not for. A key costs about 25 µs and a page of locked
/// memory: made once and kept, never per request.
///
/// Secrets: this type owns the bytes and wipes them when the owner ends.
///
/// Source: libsodium's sodium_malloc.
@safe
public struct SymmetricKey<Purpose: KeyPurpose>: ~Copyable, Sendable {
  /// The length of every key, in bytes.
  public static var byteCount: Int { 32 }

  // SAFETY: 32 bytes from sodium_malloc that this value alone owns; never written after init.
  private let address: UInt

  /// A fresh random key.
  ///
  /// - Throws: `allocationFailed` where the kernel gives no memory.
  public static func random() throws(SecretMemoryError) -> SymmetricKey {
    unsafe try SymmetricKey { bytes in unsafe randombytes_buf(bytes, byteCount) }
  }

  /// A key with the given 32 bytes. The caller wipes the source.
  ///
  /// - Throws: `invalidLength` where `source` has not 32 bytes; `allocationFailed` where the kernel gives no memory.
  public init(copying source: Span<UInt8>) throws(SecretMemoryError) {
    guard source.count == Self.byteCount else { throw .invalidLength }
    unsafe try self.init { bytes in
      for index in 0..<Self.byteCount { unsafe bytes[index] = source[index] }
    }
  }

  /// Fills the key in place: it is born in its final memory.
  ///
  /// - Throws: `allocationFailed` where the kernel gives no memory.
  init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) throws(SecretMemoryError) {
    precondition(Sodium.ready)
    guard let memory = unsafe sodium_malloc(Self.byteCount) else { throw .allocationFailed }
    LockedMemory.lockKey(UInt(bitPattern: memory), Self.byteCount)
    unsafe fill(memory.assumingMemoryBound(to: UInt8.self))
    guard unsafe sodium_mprotect_readonly(memory) == 0 else {
      // The process has run out of mappings.
      unsafe sodium_free(memory)
      throw .allocationFailed
    }
    address = UInt(bitPattern: memory)
  }

  deinit {
    // SAFETY: the one owner ends; sodium_free wipes.
    unsafe sodium_free(UnsafeMutableRawPointer(bitPattern: address))
  }

  /// The key's bytes, lent out.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the memory lives as long as `self`, which the returned span borrows.
      let span = unsafe Span<UInt8>(_unsafeStart: pointer, count: Self.byteCount)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  var pointer: UnsafePointer<UInt8> {
    // SAFETY: never null: it came from sodium_malloc.
    unsafe UnsafePointer(bitPattern: address)!
  }

  /// The subkey for another purpose: BLAKE2b-256 keyed with this key over the purpose's label.
  ///
  /// - Throws: `allocationFailed` where the kernel gives no memory.
  public func derive<Derived: KeyPurpose>(_: Derived.Type = Derived.self) throws(SecretMemoryError) -> SymmetricKey<Derived> {
    defer { Sodium.clearStack() }
    return unsafe try SymmetricKey<Derived> { out in
      unsafe BLAKE2b.hash(keyedWith: pointer, into: out) { hash in hash.update(Derived.label) }
    }
  }

  /// The subkey for another purpose that also depends on `context`: BLAKE2b-256 keyed with this key over
  /// `label ‖ 0 ‖ context`.
  ///
  /// - Throws: `allocationFailed` where the kernel gives no memory.
  public func derive<Derived: KeyPurpose>(
    _: Derived.Type = Derived.self, context: Span<UInt8>
  ) throws(SecretMemoryError) -> SymmetricKey<Derived> {
    defer { Sodium.clearStack() }
    return unsafe try SymmetricKey<Derived> { out in
      unsafe BLAKE2b.hash(keyedWith: pointer, into: out) { hash in
        hash.update(Derived.label)
        hash.update(0)
        hash.update(context)
      }
    }
  }

  /// A second owner of the same key, where one is really needed.
  ///
  /// - Throws: `allocationFailed` where the kernel gives no memory.
  public borrowing func copy() throws(SecretMemoryError) -> SymmetricKey { try SymmetricKey(copying: bytes) }
}
