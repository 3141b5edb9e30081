internal import Glibc

/// What this process may take: a file that a parser makes too much of ends the process, and nothing else.
enum ResourceLimits {
  private static let memoryBytes: rlim_t = 512 << 20
  private static let processorSeconds: rlim_t = 10

  /// Sets them, for good.
  static func apply() -> Bool {
    set(__rlimit_resource_t(RLIMIT_AS.rawValue), memoryBytes) && set(__rlimit_resource_t(RLIMIT_CPU.rawValue), processorSeconds)
  }

  private static func set(_ resource: __rlimit_resource_t, _ value: rlim_t) -> Bool {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return false }
    // A lower one stays.
    let lowered = min(value, limit.rlim_max)
    limit = rlimit(rlim_cur: lowered, rlim_max: lowered)
    return unsafe setrlimit(resource, &limit) == 0
  }
}
