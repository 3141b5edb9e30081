internal import CLinux
internal import Glibc
internal import SecretMemory

/// New content for a file that appears whole or not at all.
///
/// It is written without a name in the same directory, or where the file system can't do that, under a random one; brought to disk;
/// and renamed into place, so that two writers never share a half-written file. Without ``commit()`` nothing remains; what had no
/// name yet vanishes with the process, too, however that ends.
///
/// Only a regular file is ever replaced: a device, a pipe, a socket or a link that stands in its place is refused and left alone.
public struct AtomicFile: ~Copyable, Sendable {
  private let path: String
  private let directory: String
  private let temporaryPath: String
  private let descriptor: FileDescriptor
  /// Whether ``temporaryPath`` leads to it already.
  private let isNamed: Bool

  /// Starts new content for `path`, mode 0600.
  ///
  /// - Throws: `notAFile`; `file` with open(2)'s errno; `invalidPath`.
  public init(replacing path: String) throws(PlatformError) {
    let (directory, name) = PathParts.split(path)
    guard Files.isValid(path), !name.isEmpty else { throw .invalidPath }
    let random = SecureRandom.bytes(12).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    // The target's own name may fill NAME_MAX already.
    let temporaryPath = directory + "/.passcoded-" + random + ".tmp"
    try Self.requireReplaceable(path)
    let unnamed = unsafe clinux_open_unnamed(directory, 0o600)
    if unnamed >= 0 {
      descriptor = FileDescriptor(owning: unnamed)
    } else {
      do { descriptor = try Files.open(temporaryPath, .createNew) } catch { throw Self.naming(path, error) }
    }
    isNamed = unnamed < 0
    self.path = path
    self.directory = directory
    self.temporaryPath = temporaryPath
  }

  deinit { try? Files.remove(temporaryPath) }

  /// Adds to the content.
  ///
  /// - Throws: `file` with write(2)'s errno, such as `ENOSPC`.
  public borrowing func write(_ bytes: Span<UInt8>) throws(PlatformError) {
    try naming { () throws(PlatformError) in try descriptor.writeAll(bytes) }
  }

  /// Writes over what was added before.
  ///
  /// - Throws: `file` with pwrite(2)'s errno.
  public borrowing func overwrite(_ bytes: Span<UInt8>, at offset: Int) throws(PlatformError) {
    let raw = descriptor.raw
    try naming { () throws(PlatformError) in
      let failure: Int32 = unsafe bytes.withUnsafeBytes { source in
        var done = 0
        while done < source.count {
          // SAFETY: `done` < the span's count.
          let written = unsafe pwrite(raw, source.baseAddress! + done, source.count - done, off_t(offset + done))
          if written < 0 && errno != EINTR { return errno }
          done += max(0, written)
        }
        return 0
      }
      if failure != 0 { throw .system(SyscallError("pwrite", failure)) }
    }
  }

  /// Lets everybody read the file, mode 0644: for content that is public.
  ///
  /// - Throws: `file` with fchmod(2)'s errno.
  public borrowing func allowReading() throws(PlatformError) {
    let raw = descriptor.raw
    try naming { () throws(PlatformError) in
      if fchmod(raw, 0o644) != 0 { throw .system(SyscallError("fchmod", errno)) }
    }
  }

  /// Puts the content into place, on the disk when it returns.
  ///
  /// - Parameter overwriting: false fails with `EEXIST` where the file exists.
  /// - Throws: `notAFile`; `file` with the errno of fsync(2), linkat(2) or rename(2); what stood there before is untouched then.
  public consuming func commit(overwriting: Bool = true) throws(PlatformError) {
    try naming { () throws(PlatformError) in
      try descriptor.synchronize()
      if !isNamed {
        let result = unsafe clinux_name(descriptor.raw, temporaryPath)
        if result != 0 { throw .system(SyscallError("linkat", -result)) }
      }
      // Once more: much may have happened since it was begun.
      try Self.requireReplaceable(path)
      try Files.rename(temporaryPath, to: path, replacing: overwriting)
      try Files.synchronizeDirectory(directory)
    }
  }

  /// Replaces a whole file.
  ///
  /// - Throws: as ``init(replacing:)``, ``write(_:)`` and ``commit(overwriting:)``.
  public static func write(_ bytes: Span<UInt8>, to path: String, overwriting: Bool = true) throws(PlatformError) {
    let file = try AtomicFile(replacing: path)
    try file.write(bytes)
    try file.commit(overwriting: overwriting)
  }

  private static func requireReplaceable(_ path: String) throws(PlatformError) {
    guard let status = try Files.status(of: path, followingLink: false), status.kind != .file else { return }
    throw .notAFile(path: path, status.kind)
  }

  /// The temporary name means nothing to a person: the failure names the file that was to be written.
  private borrowing func naming(_ body: () throws(PlatformError) -> Void) throws(PlatformError) {
    do { try body() } catch { throw Self.naming(path, error) }
  }

  private static func naming(_ path: String, _ error: PlatformError) -> PlatformError {
    switch error {
    case .system(let error), .file(_, let error): .file(path: path, error)
    default: error
    }
  }
}
