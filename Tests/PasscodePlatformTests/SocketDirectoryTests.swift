import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct SocketDirectoryTests {
  let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  private func fault(_ path: String) -> PlatformError? {
    do {
      try SocketDirectory.require(path)
      return nil
    } catch {
      return error
    }
  }

  @Test("SC-32: a directory that is ours and 0700 serves, below the sticky /tmp too")
  func accepted() throws {
    #expect(fault(try root.makeDirectory("run")) == nil)
    try SocketDirectory.prepare(root.file("new/run"))
    #expect(try Files.status(of: root.file("new/run"))?.mode == 0o700)
  }

  @Test("SC-32: a directory open to others, even for searching, is refused", arguments: [0o701, 0o710, 0o750, 0o755, 0o777])
  func openToOthers(mode: UInt32) throws {
    let path = try root.makeDirectory("run", mode: mode)
    #expect(fault(path) == .unsafeDirectory(path: path, .openToOthers(mode: mode)))
    #expect(fault(path)?.description.contains("chmod 700") == true)
    #expect(throws: PlatformError.self) { try SocketDirectory.prepare(path) }
  }

  @Test("SC-32: a link to a good directory is refused, as is a file")
  func linksAndFiles() throws {
    let good = try root.makeDirectory("good")
    let link = root.file("link")
    #expect(unsafe symlink(good, link) == 0)
    #expect(fault(link) == .unsafeDirectory(path: link, .isLink))
    #expect(throws: PlatformError.unsafeDirectory(path: link, .isLink)) { try SocketDirectory.prepare(link) }
    let file = try root.write("file", [])
    #expect(fault(file) == .unsafeDirectory(path: file, .notADirectory))
  }

  @Test("SC-32: another user's directory is refused, and one below it", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let path = try root.makeDirectory("run")
    let below = try root.makeDirectory("run/below")
    #expect(unsafe chown(path, 65_534, 65_534) == 0)
    #expect(fault(path) == .unsafeDirectory(path: path, .foreignOwner(uid: 65_534)))
    #expect(fault(below) == .unsafeDirectory(path: path, .foreignOwner(uid: 65_534)))
  }

  @Test("SC-32: a directory above that others can write is refused unless it is sticky")
  func parents() throws {
    let parent = try root.makeDirectory("parent", mode: 0o777)
    let path = try root.makeDirectory("parent/run")
    #expect(fault(path) == .unsafeDirectory(path: parent, .writableByOthers(mode: 0o777)))
    #expect(unsafe chmod(parent, 0o1777) == 0)
    #expect(fault(path) == nil)
    #expect(unsafe chmod(parent, 0o755) == 0)
    #expect(fault(path) == nil)
  }

  @Test("A link of ours on the way is followed, and what it leads through is looked at")
  func linksOnTheWay() throws {
    let real = try root.makeDirectory("real", mode: 0o755)
    try root.makeDirectory("real/run")
    #expect(unsafe symlink("real", root.file("relative")) == 0)
    #expect(unsafe symlink(real + "/../real", root.file("absolute")) == 0)
    #expect(fault(root.file("relative/run")) == nil)
    #expect(fault(root.file("absolute/run")) == nil)
    #expect(unsafe chmod(real, 0o777) == 0)
    #expect(fault(root.file("relative/run")) == .unsafeDirectory(path: real, .writableByOthers(mode: 0o777)))
  }

  @Test("Another user's link on the way is refused; links in a circle come to an end")
  func foreignLinks() throws {
    try root.makeDirectory("real")
    try root.makeDirectory("real/run")
    #expect(unsafe symlink("loop", root.file("loop")) == 0)
    let looping = root.file("loop/run")
    #expect(fault(looping) == .unsafeDirectory(path: looping, .tooManyLinks))
    guard geteuid() == 0 else { return }
    let link = root.file("link")
    #expect(unsafe symlink("real", link) == 0)
    #expect(unsafe lchown(link, 65_534, 65_534) == 0)
    #expect(fault(root.file("link/run")) == .unsafeDirectory(path: link, .foreignOwner(uid: 65_534)))
  }

  @Test("A missing directory is its own error")
  func missing() {
    let path = root.file("missing")
    #expect(fault(path) == .file(path: path, SyscallError("stat", ENOENT)))
  }
}
