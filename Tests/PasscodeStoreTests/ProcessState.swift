import Glibc
import TestSupport

/// Bounds this process's address space at what it has now and `mebibytes` more. Only in a process of one's own.
///
/// - Returns: the limit before.
func limitAddressSpace(toMoreMiB mebibytes: UInt) throws -> UInt {
  let pages = String(decoding: try content("/proc/self/statm").prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  guard let pages = UInt(pages) else { throw TestFailure("no /proc/self/statm") }
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
    throw TestFailure("getrlimit: errno \(errno)")
  }
  try restoreAddressSpace(pages * 4096 + mebibytes << 20)
  return limit.rlim_cur
}

/// Sets the soft limit of this process's address space (RLIMIT_AS).
func restoreAddressSpace(_ bytes: UInt) throws {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
    throw TestFailure("getrlimit: errno \(errno)")
  }
  limit.rlim_cur = bytes
  guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
    throw TestFailure("setrlimit: errno \(errno)")
  }
}

/// A variable of the environment; nil where it is not set, or empty.
func environmentValue(_ name: String) -> String? {
  guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty else { return nil }
  return value
}
