import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct AtomicFileTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("policy.json") }

  init() throws { directory = try TemporaryDirectory() }

  @Test("New content replaces the old whole, mode 0600, and leaves nothing beside it")
  func replace() throws {
    try directory.write("policy.json", Array("old".utf8), mode: 0o644)
    try AtomicFile.write(Array("new".utf8).span, to: path)
    #expect(try Files.read(path, limit: 10) == Array("new".utf8))
    #expect(try Files.status(of: path)?.mode == 0o600)
    #expect(directoryEntries(directory.path) == ["policy.json"])
  }

  @Test("Content that is not committed leaves the old file and nothing else")
  func abandon() throws {
    try directory.write("policy.json", Array("old".utf8))
    do {
      let file = try AtomicFile(replacing: path)
      try file.write(Array("half".utf8).span)
      #expect(directoryEntries(directory.path) == ["policy.json"])
    }
    #expect(try Files.read(path, limit: 10) == Array("old".utf8))
    #expect(directoryEntries(directory.path) == ["policy.json"])
  }

  @Test("What was begun leaves nothing behind where the process is killed")
  func killed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let file = try AtomicFile(replacing: path)
      try file.write([1, 2, 3].span)
      kill(getpid(), SIGKILL)
      try file.commit()
    }
    #expect(directoryEntries(directory.path).isEmpty)
  }

  @Test("A device, a pipe, a socket, a directory or a link is refused by its kind and left alone", arguments: 0..<6)
  func otherKinds(number: Int) throws {
    let kind: FileStatus.Kind
    switch number {
    case 0:
      kind = .pipe
      #expect(unsafe mkfifo(path, 0o600) == 0)
    case 1:
      kind = .socket
      _ = try NoticeSocket(path)
    case 2:
      kind = .directory
      try directory.makeDirectory("policy.json")
    case 3, 4:
      kind = .link
      let target = directory.file("victim")
      if number == 3 { try directory.write("victim", Array("precious".utf8)) }
      #expect(unsafe symlink(target, path) == 0)
    default:
      kind = .other
      // The numbers of /dev/null; takes root.
      guard unsafe mknod(path, S_IFCHR | 0o600, 0x103) == 0 else { return }
    }
    let before = directoryEntries(directory.path)
    for overwriting in [true, false] {
      #expect(throws: PlatformError.notAFile(path: path, kind)) {
        try AtomicFile.write([1].span, to: path, overwriting: overwriting)
      }
    }
    #expect(try Files.status(of: path, followingLink: false)?.kind == kind)
    #expect(directoryEntries(directory.path) == before)
    if number == 3 { #expect(try Files.read(directory.file("victim"), limit: 10) == Array("precious".utf8)) }
  }

  @Test("What takes the place while the content is written is refused all the same")
  func putThereLater() throws {
    let file = try AtomicFile(replacing: path)
    #expect(unsafe symlink("/nonexistent", path) == 0)
    var fault: PlatformError?
    do throws(PlatformError) { try file.commit() } catch { fault = error }
    #expect(fault == .notAFile(path: path, .link))
    #expect(directoryEntries(directory.path) == ["policy.json"])
  }

  @Test("Where it must not overwrite, an existing file stays")
  func noOverwrite() throws {
    try directory.write("policy.json", Array("old".utf8))
    let error = #expect(throws: PlatformError.self) {
      try AtomicFile.write(Array("new".utf8).span, to: path, overwriting: false)
    }
    #expect(error == .file(path: path, SyscallError("rename", EEXIST)))
    #expect(try Files.read(path, limit: 10) == Array("old".utf8))
    #expect(directoryEntries(directory.path) == ["policy.json"])
    try Files.remove(path)
    try AtomicFile.write(Array("new".utf8).span, to: path, overwriting: false)
    #expect(try Files.read(path, limit: 10) == Array("new".utf8))
  }

  @Test("A name of 255 bytes can be replaced")
  func longName() throws {
    let path = directory.file(String(repeating: "n", count: 255))
    try AtomicFile.write([1].span, to: path)
    #expect(try Files.read(path, limit: 1) == [1])
  }

  @Test("SC-7: writers of one file never share a temporary one: what is read is always one of them, whole")
  func manyWriters() throws {
    let path = path
    let writers = (0..<8).map { writer in
      Background {
        (0..<20).allSatisfy { _ in
          let content = [UInt8](repeating: UInt8(writer), count: 10_000 + writer)
          return (try? AtomicFile.write(content.span, to: path)) != nil
        }
      }
    }
    while writers.contains(where: { $0.finished == nil }) {
      guard let content = try? Files.read(path, limit: 20_000), let first = content.first else { continue }
      #expect(content.count == 10_000 + Int(first) && content.allSatisfy { $0 == first })
    }
    for writer in writers { #expect(writer.value()) }
    #expect(directoryEntries(directory.path) == ["policy.json"])
  }
}
