import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct FilesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  @Test("A descriptor is closed when its owner ends, and closed on exec")
  func ownership() throws {
    let path = try directory.write("f", [1, 2, 3])
    let raw: Int32
    do {
      let file = try Files.open(path, .read)
      raw = file.raw
      #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
      let taken = file.take()
      #expect(taken == raw && isOpen(raw))
    }
    #expect(isOpen(raw))
    close(raw)
  }

  @Test("A failure names the call, the path and the reason")
  func failure() throws {
    let path = directory.file("missing")
    let error = #expect(throws: PlatformError.self) { _ = try Files.open(path, .read).raw }
    #expect(error == .file(path: path, SyscallError("open", ENOENT)))
    #expect(error?.description == "\(path): open: No such file or directory")
  }

  @Test("A path with NUL, or none, is refused and never cut")
  func invalidPaths() throws {
    try directory.write("f", [1])
    for path in [directory.file("f") + "\0.pub", ""] {
      #expect(throws: PlatformError.invalidPath) { _ = try Files.open(path, .read).raw }
      #expect(throws: PlatformError.invalidPath) { _ = try Files.status(of: path) }
      #expect(throws: PlatformError.invalidPath) { try Files.rename(directory.file("f"), to: path) }
    }
  }

  @Test("Reading stops at the limit", arguments: [0, 1, 65_535, 65_536, 200_000])
  func readLimit(count: Int) throws {
    let path = directory.file("f")
    try AtomicFile.write([UInt8](repeating: 7, count: count).span, to: path)
    #expect(try Files.read(path, limit: count).count == count)
    if count > 0 {
      #expect(throws: PlatformError.tooLong(limit: count - 1)) { _ = try Files.read(path, limit: count - 1) }
    }
  }

  @Test("A link as last part is refused where it is not to be followed")
  func links() throws {
    let target = try directory.write("target", [1])
    let link = directory.file("link")
    #expect(unsafe symlink(target, link) == 0)
    #expect(try Files.read(link, limit: 1) == [1])
    let error = #expect(throws: PlatformError.self) { _ = try Files.open(link, .read, followingLink: false).raw }
    #expect(error == .file(path: link, SyscallError("open", ELOOP)))
    #expect(try Files.status(of: link, followingLink: false)?.kind == .link)
    #expect(try Files.status(of: link)?.kind == .file)
    #expect(try Files.linkTarget(of: link) == target)
  }

  @Test("A lock is held by one open file until it is closed")
  func locks() throws {
    let path = directory.file("lock")
    do {
      let first = try Files.open(path, .readWrite)
      #expect(try first.tryLock())
      let second = try Files.open(path, .readWrite)
      #expect(try !second.tryLock())
    }
    let third = try Files.open(path, .readWrite)
    #expect(try third.tryLock())
  }

  @Test("Writing to a pipe that nobody reads is not a crash but an error")
  func brokenPipe() throws {
    Signals.ignoreBrokenPipes()
    let (reading, writing) = try makePipe()
    close(reading)
    let end = FileDescriptor(owning: writing)
    #expect(throws: PlatformError.disconnected) { try end.writeAll("x") }
  }

  @Test("A full disk is an error with its errno")
  func fullDisk() throws {
    let full = FileDescriptor(owning: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))
    #expect(throws: PlatformError.system(SyscallError("write", ENOSPC))) { try full.writeAll("x") }
  }
}
