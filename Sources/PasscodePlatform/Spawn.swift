internal import CLinux

/// Starts other programs: by absolute path, with an environment that is built and not inherited, and with no descriptor but
/// those that are named.
public enum Spawn {
  /// Starts a daemon that outlives this process: a session of its own, in `/`, 0 and 1 on /dev/null, 2 on `log`.
  ///
  /// Ready is when it can be connected to; the caller tries that again and again.
  ///
  /// - Parameter environment: `NAME=value` each, see ``ProcessEnvironment/forDaemon``.
  /// - Returns: the process, to find out whether it ended early.
  /// - Throws: `invalidPath` unless the path is absolute; `file` with the errno of execve(2).
  public static func daemon(
    _ executable: String, arguments: [String], environment: [String], log: borrowing FileDescriptor
  ) throws(PlatformError) -> DaemonProcess {
    var plan = SpawnPlan(executable, arguments: arguments, environment: environment)
    plan.descriptors = [2: log.raw]
    plan.startsSession = true
    plan.directory = "/"
    return DaemonProcess(pid: try plan.start())
  }

  /// Starts a helper with pipes on 0, 1 and 2.
  ///
  /// - Parameters:
  ///   - descriptor: what it gets as 0 in place of a pipe.
  ///   - outlives: true leaves it running when the thread that starts it ends, or this process: it sees its pipes close.
  /// - Throws: as ``daemon(_:arguments:environment:log:)``; `system` when no descriptor is left.
  public static func child(
    _ executable: String, arguments: [String] = [], environment: [String] = [], reading descriptor: Int32? = nil,
    outliving outlives: Bool = false
  ) throws(PlatformError) -> ChildProcess {
    let input = try Pipe()
    let output = try Pipe()
    let error = try Pipe()
    var plan = SpawnPlan(executable, arguments: arguments, environment: environment)
    plan.descriptors = [0: descriptor ?? input.reading.raw, 1: output.writing.raw, 2: error.writing.raw]
    plan.startsSession = true
    plan.endsWithCaller = !outlives
    let pid = try plan.start()
    return ChildProcess(
      pid: pid, input: input.takeWriting(), output: output.takeReading(), error: error.takeReading())
  }
}

/// The two ends of a pipe.
package struct Pipe: ~Copyable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(PlatformError) {
    var ends: [Int32] = [-1, -1]
    let result = unsafe ends.withUnsafeMutableBufferPointer { unsafe clinux_pipe($0.baseAddress!) }
    guard result == 0 else { throw .system(SyscallError("pipe2", -result)) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// The end to read; the other is closed.
  package consuming func takeReading() -> FileDescriptor { reading }
  /// The end to write; the other is closed.
  package consuming func takeWriting() -> FileDescriptor { writing }
}
