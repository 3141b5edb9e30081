internal import ConsentCore
internal import Glibc
internal import PasscodePlatform

/// A folder of forms, opened once: every file is looked for in it, and nowhere else.
final class FormFolder: ConsentFileReading {
  /// So many entries of a folder are looked at.
  private static let entryLimit = 10_000

  private let path: String
  private let descriptor: FileDescriptor
  /// Whose the files may be; nil for anybody's.
  private let owners: Set<UInt32>?

  /// Opens the folder.
  ///
  /// - Throws: `absent`; `refused` where it is none, or may not be trusted.
  init(_ path: String, owners: Set<UInt32>?) throws(ConsentFileObstacle) {
    do { descriptor = try Files.open(path, .directory) } catch {
      throw error.errno == ENOENT ? .absent : .refused("the folder can't be opened: \(error)")
    }
    (self.path, self.owners) = (path, owners)
    if let why = try distrust(descriptor, at: path) { throw .refused("the folder is not trusted: \(why)") }
  }

  /// The names that end in `.json`, in the order of their bytes; those that start with a full stop are hidden. Names that are not
  /// UTF-8, or hold what steers a terminal, are told apart, as they can be shown.
  ///
  /// - Throws: `refused` where they can't be listed.
  func formNames() throws(ConsentFileObstacle) -> (proper: [String], improper: [String]) {
    guard let copy = try? descriptor.duplicate(), let directory = unsafe fdopendir(copy.take()) else {
      throw .refused("the folder can't be listed")
    }
    defer { unsafe closedir(directory) }
    var names: (proper: [String], improper: [String]) = ([], [])
    var count = 0
    while let entry = unsafe readdir(directory) {
      count += 1
      if count > Self.entryLimit { throw .refused("the folder holds more than \(Self.entryLimit) files") }
      // SAFETY: `d_name` is NUL-ended and lives until the next readdir.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      let shown = Self.shown(name)
      guard name.hasSuffix(".json"), !name.hasPrefix(".") else { continue }
      // What is no UTF-8 was replaced.
      let isProper = shown == name && !name.unicodeScalars.contains("\u{FFFD}")
      if isProper { names.proper.append(name) } else { names.improper.append(shown) }
    }
    names.proper.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    names.improper.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names
  }

  /// A name on one line, with nothing in it that steers a terminal.
  static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(PlainText.cleaned(name).unicodeScalars.map { $0 == "\n" ? "\u{FFFD}" : $0 }))
  }

  func contents(of name: String) throws(ConsentFileObstacle) -> [UInt8] {
    // A pipe or a device must not hold this up; what it is, is known once it is open.
    let number = unsafe openat(descriptor.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else {
      switch errno {
      case ENOENT: throw .absent
      case ELOOP: throw .refused("it is a symbolic link")
      case let code: throw .refused("\(SyscallError("open", code))")
      }
    }
    let file = FileDescriptor(owning: number)
    if let why = try distrust(file, at: path + "/" + name, isFile: true) { throw .refused(why) }
    do { return try file.readAll(limit: ConsentFormFile.maximumByteCount) } catch {
      if case .tooLong = error { throw .tooLarge }
      throw .refused("\(error)")
    }
  }

  /// Why what is open is not what it has to be, in words; nil where it is.
  private func distrust(
    _ file: borrowing FileDescriptor, at path: String, isFile: Bool = false
  ) throws(ConsentFileObstacle) -> String? {
    let status: FileStatus
    do { status = try file.status() } catch { throw .refused("\(error)") }
    if isFile, status.kind != .file { return "it is not a regular file" }
    guard let owners else { return nil }
    if !owners.contains(status.owner) {
      return "it belongs to uid \(status.owner), and not to you or root"
    }
    return status.mode & 0o022 == 0 ? nil : "group or others can write to it; run: chmod go-w \(Self.shown(path))"
  }
}
