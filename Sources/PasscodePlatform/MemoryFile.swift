internal import CLinux
internal import Glibc

/// A file in memory without a name, for what is no secret.
package enum MemoryFile {
  /// A file of these bytes, to be read from its start. Whoever does not read it holds nothing up.
  ///
  /// - Throws: `system` with memfd_create(2)'s errno.
  package static func holding(_ bytes: Span<UInt8>) throws(PlatformError) -> FileDescriptor {
    let opened = unsafe clinux_memory_file("passcoded")
    guard opened >= 0 else { throw .system(SyscallError("memfd_create", -opened)) }
    let file = FileDescriptor(owning: opened)
    try file.writeAll(bytes)
    guard lseek(opened, 0, SEEK_SET) == 0 else { throw .system(SyscallError("lseek", errno)) }
    return file
  }
}
