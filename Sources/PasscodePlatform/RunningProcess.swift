internal import Glibc

/// Other processes, by their numbers.
public enum RunningProcess {
  /// Whether a process runs: one that has ended and that its parent has not waited for does not, and holds nothing any more.
  ///
  /// Source: proc(5), `/proc/PID/stat`.
  public static func isRunning(_ pid: Int32) -> Bool {
    guard kill(pid, 0) == 0 else { return false }
    guard let line = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return kill(pid, 0) == 0 }
    // The name may hold anything: it ends at the last parenthesis, and the state follows a blank.
    guard let close = line.lastIndex(of: UInt8(ascii: ")")), line.count > close + 2 else { return true }
    return !"ZX".utf8.contains(line[close + 2])
  }
}
