internal import Glibc

/// Descriptors that a service manager passed on.
///
/// Source: sd_listen_fds(3).
enum InheritedDescriptors {
  /// Their numbers, or nil where `LISTEN_PID` does not name this process.
  static func range(environment: ProcessEnvironment) -> Range<Int32>? {
    guard
      environment["LISTEN_PID"].flatMap(Int32.init) == getpid(),
      let count = environment["LISTEN_FDS"].flatMap(Int32.init), (1...1024).contains(count)
    else { return nil }
    return 3..<(3 + count)
  }
}
