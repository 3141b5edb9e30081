internal import Glibc
internal import PasscodePlatform

/// A regular file, mapped for reading: what is not looked at takes no memory.
@safe
struct MappedFile: ~Copyable, Sendable {
  /// The file's size when it was mapped, in bytes; at least 1.
  let byteCount: Int
  private let file: FileDescriptor
  // SAFETY: a mapping of `byteCount` bytes that this value alone owns, and that nobody writes through.
  private let address: UInt

  /// Maps an open file of a known size.
  ///
  /// - Throws: `system` with mmap(2)'s errno.
  /// - Precondition: `byteCount` is over 0.
  init(_ file: consuming FileDescriptor, byteCount: Int) throws(PlatformError) {
    precondition(byteCount > 0)
    let start = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, file.raw, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .system(SyscallError("mmap", errno)) }
    // Look-ups go anywhere: reading ahead would only fill the memory.
    unsafe madvise(start, byteCount, MADV_RANDOM)
    self.byteCount = byteCount
    self.file = file
    address = UInt(bitPattern: start)
  }

  deinit { unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount) }

  /// The size of the file now. Where it has been cut, reading the mapping beyond its end would end the process.
  var currentByteCount: Int {
    var status = stat()
    return unsafe fstat(file.raw, &status) == 0 ? status.st_size : 0
  }

  /// The bytes, lent out.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the mapping lives as long as `self`, which the span borrows.
      let start = unsafe UnsafePointer<UInt8>(bitPattern: address)!
      return unsafe _overrideLifetime(Span(_unsafeStart: start, count: byteCount), borrowing: self)
    }
  }
}
