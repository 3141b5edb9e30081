internal import CLinux
internal import Glibc
public import PasscodeCore
internal import PasscodePlatform
public import SecretMemory

/// Thirty-two random bytes in the kernel's keyring of this user, gone after a restart of the machine: quick unlock's second
/// half, so that the passcode is asked for once after each start.
///
/// The key has the type "user" and the description `passcoded:quick-unlock:` ‖ store id; only who possesses it may see, read or
/// change it. To possess it, each call links the user's keyring into the session keyring, or where that is closed, into the
/// calling thread's.
///
/// Source: keyrings(7), user-keyring(7), keyctl(2).
public struct KernelKeyringShare: Sendable {
  /// How long it is.
  public static let byteCount = 32

  private let description: String

  /// The share of a store.
  public init(store: StoreID) { description = "passcoded:quick-unlock:\(store)" }

  /// Puts a fresh share in place of any earlier one.
  ///
  /// - Returns: its bytes.
  /// - Throws: `shareRefused` where the kernel or a container does not let it; `shareFailed`; `secretMemory`.
  ///
  /// Secrets: the caller owns the bytes.
  public func renew() throws(KeyringObstacle) -> SecretBytes {
    let share = try SecretBytes.randomKey()
    if let obstacle = Self.obstacle("add_key", put(share)) { throw obstacle }
    return share
  }

  private func put(_ share: borrowing SecretBytes) -> Int32 {
    unsafe share.bytes.withUnsafeBytes { unsafe clinux_key_put(description, $0.baseAddress!, $0.count) }
  }

  /// The share that ``renew()`` put.
  ///
  /// - Throws: `shareAbsent` after a restart; `shareForeign` where it is not 32 bytes long; as ``renew()``.
  ///
  /// Secrets: the caller owns the bytes.
  public func read() throws(KeyringObstacle) -> SecretBytes {
    var share: SecretBytes
    do throws(SecretMemoryError) { share = try SecretBytes(capacity: Self.byteCount) } catch { throw .secretMemory(error) }
    var result = 0
    unsafe share.withFreeSpace { space in
      result = unsafe clinux_key_read(description, space.baseAddress!, space.count)
      return result > 0 && result <= space.count ? result : 0
    }
    if let obstacle = Self.obstacle("keyctl", Int32(clamping: result)) { throw obstacle }
    guard result == Self.byteCount else { throw .shareForeign }
    return share
  }

  /// Removes it. That there is none is no failure.
  ///
  /// - Throws: `shareRefused`; `shareFailed`.
  public func remove() throws(KeyringObstacle) {
    let result = unsafe clinux_key_remove(description)
    if let obstacle = Self.obstacle("keyctl", result), obstacle != .shareAbsent { throw obstacle }
  }

  /// What a negated errno means; nil where the call did what it was asked.
  static func obstacle(_ call: StaticString, _ result: Int32) -> KeyringObstacle? {
    guard result < 0 else { return nil }
    let error = SyscallError(call, -result)
    switch -result {
    case ENOKEY, EKEYEXPIRED, EKEYREVOKED: return .shareAbsent
    case EPERM, EACCES, ENOSYS: return .shareRefused(error)
    default: return .shareFailed(error)
    }
  }
}
