internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// The store's file and the files beside it: `store.db`, its log `-wal` and `-shm`, and `store.db.lock`.
struct StoreFile: Sendable {
  /// The real path of the file, its directory resolved: SQLite then follows no link on it.
  let path: String
  /// The file's name in its directory.
  let name: String
  private let directory: String

  /// - Throws: `noStore` where the directory is missing; `storage`.
  init(path: String) throws(StoreError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, !path.utf8.contains(0) else { throw .noStore }
    let parent = parts.dropLast().joined(separator: "/")
    let given = path.hasPrefix("/") ? (parent.isEmpty ? "/" : parent) : (parent.isEmpty ? "." : parent)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let isResolved = unsafe buffer.withUnsafeMutableBufferPointer { unsafe realpath(given, $0.baseAddress!) } != nil
    guard isResolved else { throw Self.error(errno) }
    directory = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.name = String(name)
    self.path = (directory == "/" ? "/" : directory + "/") + name
  }

  /// The lock that the owning process holds.
  ///
  /// - Throws: `inUse` where another process has it; `storage`.
  func lock() throws(StoreError) -> FileDescriptor {
    do {
      let file = try Files.open(path + ".lock", .readWrite, followingLink: false)
      guard try file.tryLock() else { throw StoreError.inUse }
      return file
    } catch let error as StoreError { throw error } catch { throw Self.error(error) }
  }

  /// Looks at the file before SQLite does, which would take an empty one for a new database.
  ///
  /// - Throws: `noStore` only where nothing is there; `notAStore`; `storage`.
  func requireDatabase() throws(StoreError) {
    let head: [UInt8]
    do {
      guard let status = try Files.status(of: path, followingLink: false) else { throw StoreError.noStore }
      guard status.kind == .file else { throw StoreError.notAStore }
      let file = try Files.open(path, .read, followingLink: false)
      var space = try SecretBytes(capacity: 16)
      while try space.count < 16 && file.read(into: &space) > 0 {}
      head = space.bytes.indices.map { space.bytes[$0] }
    } catch let error as StoreError { throw error } catch let error as PlatformError { throw Self.error(error) } catch {
      throw .secretMemory(.allocationFailed)
    }
    guard head == Array("SQLite format 3\0".utf8) else { throw .notAStore }
  }

  /// A fresh name beside the file for a store that is being made.
  ///
  /// - Throws: `storeExists`.
  func makeDraft() throws(StoreError) -> String {
    do {
      if try Files.status(of: path, followingLink: false) != nil { throw StoreError.storeExists }
      let draft = "\(path).new-\(RecordID.random())"
      _ = try Files.open(draft, .createNew)
      return draft
    } catch let error as StoreError { throw error } catch { throw Self.error(error) }
  }

  /// Puts the finished draft in its place, durably. Never over another file.
  ///
  /// - Throws: `storeExists`; `storage`.
  func publish(_ draft: String) throws(StoreError) {
    do {
      try Files.open(draft, .readWrite).synchronize()
      try Files.rename(draft, to: path, replacing: false)
      try synchronizeDirectory()
    } catch { throw Self.error(error) }
  }

  /// Returns when the names in the directory are on the disk.
  func synchronizeDirectory() throws(PlatformError) { try Files.synchronizeDirectory(directory) }

  /// The names of all files beside this one.
  ///
  /// - Throws: `storage`.
  func siblings() throws(StoreError) -> [String] {
    guard let listing = unsafe opendir(directory) else { throw Self.error(errno) }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      // SAFETY: the kernel ends d_name with a NUL within the record.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// Takes away what is left of a draft; after ``publish(_:)`` that is only its log's files.
  func removeDraft(_ draft: String) {
    for suffix in ["", "-wal", "-shm"] { try? Files.remove(draft + suffix) }
  }

  static func error(_ error: any Error) -> StoreError {
    guard let platform = error as? PlatformError else { return .storage(.inputOutput(code: 0)) }
    switch platform {
    case .system(let call), .file(_, let call): return Self.error(call.errno)
    case .secretMemory(let error): return .secretMemory(error)
    default: return .storage(.denied)
    }
  }

  private static func error(_ errno: Int32) -> StoreError {
    switch errno {
    case ENOENT, ENOTDIR: .noStore
    case EEXIST: .storeExists
    case ENOSPC, EDQUOT: .storage(.full)
    case EROFS: .storage(.readOnly)
    case EACCES, EPERM, ELOOP: .storage(.denied)
    default: .storage(.inputOutput(code: errno))
    }
  }
}
