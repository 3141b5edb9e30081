internal import CLinux
internal import Glibc
public import SecretMemory

extension FileDescriptor {
  /// Reads once into the free space of `secret`; 0 is the end.
  ///
  /// - Throws: `system` with read(2)'s errno.
  public borrowing func read(into secret: inout SecretBytes) throws(PlatformError) -> Int {
    try readOnce(raw, into: &secret)
  }

  /// Everything up to the end, for content that is no secret.
  ///
  /// - Throws: `tooLong` beyond `limit` bytes; `system` with read(2)'s errno.
  public borrowing func readAll(limit: Int) throws(PlatformError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe readRetrying(raw, $0) }
      guard count >= 0 else { throw .system(SyscallError("read", Int32(-count))) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw .tooLong(limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Waits for one byte.
  ///
  /// - Parameter limit: nil waits without end.
  /// - Returns: nil at the end.
  /// - Throws: `timedOut`; `system` with the errno of poll(2) or read(2).
  package borrowing func readByte(within limit: Duration?) throws(PlatformError) -> UInt8? {
    guard try Deadline(limit).poll({ clinux_wait_readable(raw, $0) }) else { throw .timedOut }
    var byte: UInt8 = 0
    let count = unsafe withUnsafeMutableBytes(of: &byte) { unsafe readRetrying(raw, $0) }
    guard count >= 0 else { throw .system(SyscallError("read", Int32(-count))) }
    return count == 0 ? nil : byte
  }

  /// Writes everything.
  ///
  /// - Throws: `disconnected` when the reader of a pipe is gone; `system` with write(2)'s errno, such as `ENOSPC`; a part may
  ///   have been written then.
  public borrowing func writeAll(_ bytes: Span<UInt8>) throws(PlatformError) {
    let descriptor = raw
    let failure: Int32 = unsafe bytes.withUnsafeBytes { source in
      var done = 0
      while done < source.count {
        // SAFETY: `done` < the span's count.
        let written = unsafe Glibc.write(descriptor, source.baseAddress! + done, source.count - done)
        if written < 0 && errno != EINTR { return errno }
        done += max(0, written)
      }
      return 0
    }
    if failure == EPIPE { throw .disconnected }
    if failure != 0 { throw .system(SyscallError("write", failure)) }
  }

  /// Writes a text that is no secret, as UTF-8.
  ///
  /// - Throws: as ``writeAll(_:)-(Span<UInt8>)``.
  public borrowing func writeAll(_ text: String) throws(PlatformError) { try writeAll(Array(text.utf8).span) }

  /// Makes reads and writes that would have to wait fail with `EAGAIN`, for every descriptor of this open file.
  ///
  /// - Throws: `system` with fcntl(2)'s errno.
  public borrowing func stopWaiting() throws(PlatformError) {
    guard fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK) == 0 else { throw .system(SyscallError("fcntl", errno)) }
  }

  /// Returns when everything written is on the disk.
  ///
  /// - Throws: `system` with fsync(2)'s errno. What was written before may be lost then, whatever a second call says.
  public borrowing func synchronize() throws(PlatformError) {
    guard fsync(raw) == 0 else { throw .system(SyscallError("fsync", errno)) }
  }

  /// Gives the file room on the disk for its first `byteCount` bytes. Its size stays as it is.
  ///
  /// - Throws: `system` with fallocate(2)'s errno, such as `ENOSPC`, or `EOPNOTSUPP` where the file system has no such call.
  public borrowing func reserve(byteCount: Int) throws(PlatformError) {
    let result = clinux_reserve(raw, UInt64(byteCount))
    guard result == 0 else { throw .system(SyscallError("fallocate", -result)) }
  }

  /// Gives back the room beyond the file's end.
  ///
  /// - Throws: `system` with ftruncate(2)'s errno.
  public borrowing func releaseReserve() throws(PlatformError) {
    let size = try status().size
    guard ftruncate(raw, off_t(size)) == 0 else { throw .system(SyscallError("ftruncate", errno)) }
  }

  /// Takes the exclusive lock of the open file, held until its last descriptor is closed.
  ///
  /// - Returns: false when another open file holds it.
  /// - Throws: `system` with flock(2)'s errno.
  public borrowing func tryLock() throws(PlatformError) -> Bool {
    while flock(raw, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .system(SyscallError("flock", errno)) }
    }
    return true
  }

  /// Takes the lock, or waits a tenth of a second for it: one that was just let go is held for a moment more by a child process
  /// that was being started then.
  ///
  /// - Returns: false when another open file holds it.
  /// - Throws: `system` with flock(2)'s errno.
  public borrowing func lockSoon() throws(PlatformError) -> Bool {
    for _ in 0..<20 {
      if try tryLock() { return true }
      usleep(5000)
    }
    return false
  }

  /// What the open file is.
  ///
  /// - Throws: `system` with fstat(2)'s errno.
  public borrowing func status() throws(PlatformError) -> FileStatus {
    var status = clinux_status()
    let result = unsafe clinux_fstat(raw, &status)
    guard result == 0 else { throw .system(SyscallError("fstat", -result)) }
    return FileStatus(status)
  }
}

/// One read(2) into the free space of `secret`.
func readOnce(_ descriptor: Int32, into secret: inout SecretBytes) throws(PlatformError) -> Int {
  var result = 0
  unsafe secret.withFreeSpace { space in
    result = unsafe readRetrying(descriptor, space)
    return max(0, result)
  }
  guard result >= 0 else { throw .system(SyscallError("read", Int32(-result))) }
  return result
}

/// read(2), again after a signal: the count, or the negated errno.
func readRetrying(_ descriptor: Int32, _ space: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = unsafe Glibc.read(descriptor, space.baseAddress, space.count)
    if count >= 0 { return count }
    if errno != EINTR { return -Int(errno) }
  }
}
