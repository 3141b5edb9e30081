import CFaultVFS
import Glibc
import PasscodeCore
import TestSupport

/// A SQLite VFS that fails on request. No store may be using it when it ends.
@safe
final class FaultVFS {
  enum Call: CaseIterable {
    case write, sync, truncate, open, read

    var kind: fault_call {
      switch self {
      case .write: FAULT_WRITE
      case .sync: FAULT_SYNC
      case .truncate: FAULT_TRUNCATE
      case .open: FAULT_OPEN
      case .read: FAULT_READ
      }
    }
  }

  let name: String
  // SAFETY: owned by this object from make to free.
  private let vfs: OpaquePointer

  init() throws {
    guard let vfs = unsafe fault_vfs_make() else { throw TestFailure("no memory") }
    unsafe self.vfs = vfs
    name = unsafe String(cString: fault_vfs_name(vfs))
  }

  deinit { unsafe fault_vfs_free(vfs) }

  /// Fails the call after `skipped` others of its kind.
  func fail(_ call: Call, after skipped: Int, with error: Int32 = EIO, lasting: Bool = false) {
    unsafe fault_vfs_fail(vfs, call.kind, Int32(skipped), error, lasting ? 1 : 0)
  }

  /// Fails everything that changes a file from the change on that comes after `skipped` others.
  func stop(after skipped: Int) { unsafe fault_vfs_stop(vfs, Int32(skipped)) }
  func cutPower() { unsafe fault_vfs_cut_power(vfs) }
  func clear() { unsafe fault_vfs_clear(vfs) }

  var failures: Int { Int(unsafe fault_vfs_failures(vfs)) }
  var bytesWritten: UInt64 { unsafe fault_vfs_bytes_written(vfs) }
  func count(_ call: Call) -> Int { Int(unsafe fault_vfs_calls(vfs, call.kind)) }
}

/// Changes a store's file as any program could.
func tamper(_ path: String, _ sql: String) throws {
  let result = unsafe fault_execute(path, sql)
  guard result == 0 else { throw TestFailure("SQLite result \(result): \(sql)") }
}

/// The first value that a query on a store's file gives.
func query(_ path: String, _ sql: String) throws -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 2 << 20)
  let count = unsafe bytes.withUnsafeMutableBufferPointer { unsafe fault_query(path, sql, $0.baseAddress, Int32($0.count)) }
  guard count >= 0 else { throw TestFailure("no row: \(sql)") }
  return Array(bytes.prefix(Int(count)))
}

/// Bytes as a SQL literal.
func literal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return "x'" + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self) + "'"
}

/// A file's content.
func content(_ path: String) throws -> [UInt8] {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw TestFailure("open \(path): errno \(errno)") }
  defer { close(file) }
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    guard count > 0 else { return all }
    all += chunk.prefix(count)
  }
}

/// Overwrites a file in place, as `cp` does, or makes it.
func overwrite(_ path: String, _ bytes: [UInt8]) throws {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw TestFailure("open \(path): errno \(errno)") }
  defer { close(file) }
  var done = 0
  while done < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress! + done, $0.count - done) }
    guard count > 0 else { throw TestFailure("write \(path): errno \(errno)") }
    done += count
  }
}

/// Removes files; missing ones too.
func remove(_ paths: String...) { for path in paths { unsafe unlink(path) } }

/// Whether something stands at a path.
func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// A second name of a file.
func hardLink(_ path: String, _ other: String) throws {
  guard unsafe link(path, other) == 0 else { throw TestFailure("link: errno \(errno)") }
}

/// Whether `needle` stands somewhere in `hay`.
func contains(_ hay: [UInt8], _ needle: [UInt8]) -> Bool {
  unsafe hay.withUnsafeBytes { hay in
    unsafe needle.withUnsafeBytes { unsafe fault_contains(hay.baseAddress, hay.count, $0.baseAddress, $0.count) != 0 }
  }
}
