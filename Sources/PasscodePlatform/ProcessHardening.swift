internal import CLinux
internal import Glibc

/// The first act of main: the process closes itself to others before it sees a secret.
public enum ProcessHardening {
  /// What the process is.
  public enum Role: Sendable {
    /// Closes every inherited descriptor but 0 to 2 and those of a service manager.
    case daemon
    /// Keeps inherited descriptors: a caller may hand over a passcode on one.
    case client
  }

  /// Switches off reading by others and core dumps, sets umask 077, fills missing standard descriptors, takes
  /// crash signals back from Swift's backtracer (it would print memory), has a write beyond RLIMIT_FSIZE fail with EFBIG, and looks
  /// for a tracer and for foreign code.
  ///
  /// A tracer or LD_PRELOAD of the same user is only noticed, not kept out: whoever starts the process can hide both.
  ///
  /// - Returns: what was found; the caller refuses to go on unless it is empty.
  public static func apply(_ role: Role, environment: ProcessEnvironment = .current()) -> [HardeningFinding] {
    var findings: [HardeningFinding] = []
    func note(_ result: Int32, _ call: StaticString, _ finding: (SyscallError) -> HardeningFinding) {
      if result < 0 { findings.append(finding(SyscallError(call, -result))) }
    }
    // Before anything is looked at: from here on nobody new can attach.
    note(clinux_set_dumpable(0), "prctl", HardeningFinding.dumpable)
    note(openStandardDescriptors(), "open", HardeningFinding.descriptors)
    if let pid = tracer() { findings.append(.tracer(pid: pid)) }
    for variable in ["LD_PRELOAD", "LD_AUDIT"] where environment[variable] != nil {
      findings.append(.preload(variable: variable))
    }
    note(clinux_no_core_dumps(), "setrlimit", HardeningFinding.coreDumps)
    clinux_restore_crash_signals()
    // A file that may not grow any more is an error to the one who writes it, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    umask(0o077)
    if role == .daemon { note(closeInherited(environment), "close_range", HardeningFinding.descriptors) }
    return findings
  }

  /// Whether others of the same user can read this process's memory.
  public static var isDumpable: Bool { clinux_dumpable() != 0 }

  /// The process that traces this one, or nil.
  ///
  /// Source: proc_pid_status(5), `TracerPid`.
  static func tracer() -> Int32? {
    guard let status = try? Files.read("/proc/self/status", limit: 65_536) else { return nil }
    return tracer(inStatus: String(decoding: status, as: UTF8.self))
  }

  static func tracer(inStatus status: String) -> Int32? {
    guard let pid = number("TracerPid", inStatus: status), pid != 0 else { return nil }
    return pid
  }

  /// Whether the kernel refuses this process some system calls by a filter, as a unit of systemd has it.
  ///
  /// Source: proc_pid_status(5), `Seccomp`.
  public static var isFiltered: Bool {
    guard let status = try? Files.read("/proc/self/status", limit: 65_536) else { return false }
    return number("Seccomp", inStatus: String(decoding: status, as: UTF8.self)) == 2
  }

  private static func number(_ name: StaticString, inStatus status: String) -> Int32? {
    let label = Array("\n\(name):".utf8)
    let bytes = Array(status.utf8)
    // Byte by byte: this is in the way of every start.
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: label) }) else { return nil }
    var number: Int32 = 0
    for byte in bytes[(start + label.count)...].drop(while: { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }) {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { break }
      number = number &* 10 &+ Int32(byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// A file opened later must never land on 0, 1 or 2, where messages are written. A missing one stays of no use: to read from a
  /// missing input, or to write to a missing output, is an error and not an empty answer.
  private static func openStandardDescriptors() -> Int32 {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      let opened = unsafe clinux_open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY, 0)
      guard opened == number else { return opened < 0 ? opened : -EBADF }
      _ = fcntl(opened, F_SETFD, 0)
    }
    return 0
  }

  private static func closeInherited(_ environment: ProcessEnvironment) -> Int32 {
    let kept = InheritedDescriptors.range(environment: environment) ?? 3..<3
    for number in kept { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    return clinux_close_from(UInt32(kept.upperBound))
  }
}
