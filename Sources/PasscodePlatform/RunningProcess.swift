internal import Glibc

/// Other processes, by their numbers.
public enum RunningProcess {
  /// Whether a process runs: one that has ended with all of its threads, and that its parent has not waited for, does not, and holds
  /// nothing any more.
  ///
  /// Source: proc(5), `/proc/PID/stat`: the state (3) and the number of threads (20).
  public static func isRunning(_ pid: Int32) -> Bool {
    guard kill(pid, 0) == 0 else { return false }
    guard let line = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return kill(pid, 0) == 0 }
    // The name may hold anything: it ends at the last parenthesis.
    guard let close = line.lastIndex(of: UInt8(ascii: ")")) else { return true }
    let fields = line[(close + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count > 17, fields[0] == "Z" || fields[0] == "X", let threads = Int(fields[17]) else { return true }
    return threads > 1
  }
}
