internal import Glibc

/// How many files and sockets this process may have open.
public enum DescriptorLimit {
  /// Raises the limit as far as the system lets this process: the usual 1,024 are fewer than the connections that are served.
  public static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
    unsafe setrlimit(resource, &limit)
  }
}
