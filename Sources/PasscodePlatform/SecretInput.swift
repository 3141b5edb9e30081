internal import CLinux
internal import Glibc
public import SecretMemory

/// Secrets from a descriptor or a file, straight into locked memory.
public enum SecretInput {
  /// Reads a passcode up to the end: exactly one trailing line feed is dropped.
  ///
  /// - Parameter limit: of the passcode, in bytes.
  /// - Throws: `tooLong` over the limit (never cut); `containsNUL`; `system` with read(2)'s errno, such as `EBADF`;
  ///   `secretMemory`.
  ///
  /// Secrets: the result wipes itself.
  public static func readPasscode(
    descriptor: Int32, limit: Int = PasscodeText.maximumByteCount
  ) throws(PlatformError) -> SecretBytes {
    // Room for the line feed, and for one byte more than can be right.
    var secret = try readUpTo(limit + 2, descriptor)
    let count = secret.count
    if count > 0, secret.bytes[count - 1] == 0x0a { secret.truncate(to: count - 1) }
    guard secret.count <= limit else { throw .tooLong(limit: limit) }
    for index in secret.bytes.indices where secret.bytes[index] == 0 { throw .containsNUL }
    return secret
  }

  /// Reads a passcode from a file that is the user's own (or root's) and closed to others; `-` is standard input.
  ///
  /// A pipe that the user owns serves as well. A file in `$CREDENTIALS_DIRECTORY` may be root's with an access list for this
  /// user, which shows as readable by the group.
  ///
  /// - Throws: `unsafeFile` with the way out; `file` with open(2)'s errno, such as `ENOENT`; and as
  ///   ``readPasscode(descriptor:limit:)``.
  ///
  /// Source: systemd.exec(5), "Credentials".
  public static func readPasscode(
    file path: String, environment: ProcessEnvironment = .current(), limit: Int = PasscodeText.maximumByteCount
  ) throws(PlatformError) -> SecretBytes {
    if path == "-" { return try readPasscode(descriptor: 0, limit: limit) }
    let file = try Files.open(path, .read)
    let isCredential = isIn(environment.absolutePath("CREDENTIALS_DIRECTORY"), path)
    if let fault = fault(in: try file.status(), isCredential: isCredential) { throw .unsafeFile(path: path, fault) }
    return try readPasscode(descriptor: file.raw, limit: limit)
  }

  /// Reads a credential's value up to the end, byte for byte.
  ///
  /// - Throws: `tooLong` over `limit` bytes (never cut); `system` with read(2)'s errno; `secretMemory`.
  ///
  /// Secrets: the result wipes itself.
  public static func readValue(descriptor: Int32, limit: Int = 1 << 20) throws(PlatformError) -> SecretBytes {
    let secret = try readUpTo(limit + 1, descriptor)
    guard secret.count <= limit else { throw .tooLong(limit: limit) }
    return secret
  }

  static func fault(in status: FileStatus, isCredential: Bool) -> FileFault? {
    guard status.kind == .file || status.kind == .pipe else { return .notAFile }
    guard status.owner == geteuid() || status.owner == 0 else { return .foreignOwner(uid: status.owner) }
    let refused: UInt32 = isCredential && status.owner == 0 ? 0o037 : 0o077
    return status.mode & refused == 0 ? nil : .openToOthers(mode: status.mode)
  }

  private static func isIn(_ directory: String?, _ path: String) -> Bool {
    guard let directory, path.hasPrefix(UserDirectories.join(directory, "")) else { return false }
    return !path.split(separator: "/").contains("..")
  }

  private static func readUpTo(_ capacity: Int, _ descriptor: Int32) throws(PlatformError) -> SecretBytes {
    var secret: SecretBytes
    do {
      secret = try SecretBytes(capacity: capacity)
    } catch {
      throw .secretMemory(error)
    }
    while secret.count < capacity {
      if try readOnce(descriptor, into: &secret) == 0 { break }
    }
    return secret
  }
}
