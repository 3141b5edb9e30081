internal import CLinux
internal import Glibc

/// What a new process is given.
///
/// Nothing else reaches it: no other descriptor, no other variable, no blocked or ignored signal.
@safe
package struct SpawnPlan {
  /// The absolute path; the PATH is never searched.
  package var executable: String
  /// The arguments after the program's own name.
  package var arguments: [String]
  /// The variables, each `NAME=value`.
  package var environment: [String]
  /// The descriptors it gets: number there, number here.
  ///
  /// Missing ones of 0 to 2 are /dev/null.
  package var descriptors: [Int32: Int32] = [:]
  /// Whether it leads a session of its own, out of reach of the terminal's signals.
  package var startsSession = false
  /// Whether it is killed when the thread that started it ends, as with the whole of this process, however that ends.
  package var endsWithCaller = false
  /// A terminal's path, to become 0 to 2 and the controlling terminal of the new session.
  package var terminal: String?
  /// The directory it starts in; nil is ours.
  package var directory: String?

  /// A plan with nothing passed on.
  package init(_ executable: String, arguments: [String] = [], environment: [String] = []) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// Starts the process.
  ///
  /// - Returns: its pid; the caller waits for it.
  /// - Throws: `invalidPath`; `file` with the errno of vfork(2) or execve(2); `system` when no descriptor is left.
  package borrowing func start() throws(PlatformError) -> Int32 {
    guard executable.hasPrefix("/"), Files.isValid(executable) else { throw .invalidPath }
    let targets = descriptors.keys.sorted()
    var sources: [Int32] = []
    defer { for copy in sources { close(copy) } }
    for target in targets {
      // Out of the targets' way, so that one dup2 never closes the source of the next.
      let copy = fcntl(descriptors[target]!, F_DUPFD_CLOEXEC, max(64, targets.last! + 1))
      guard copy >= 0 else { throw .system(SyscallError("fcntl", errno)) }
      sources.append(copy)
    }
    let pid = spawn(targets, sources)
    guard pid > 0 else { throw .file(path: executable, SyscallError("execve", -pid)) }
    return pid
  }

  private borrowing func spawn(_ targets: [Int32], _ sources: [Int32]) -> Int32 {
    let words = CStringArray([executable] + arguments)
    let variables = CStringArray(environment)
    let paths = CStringArray([terminal ?? "", directory ?? ""])
    return unsafe targets.withUnsafeBufferPointer { targets in
      unsafe sources.withUnsafeBufferPointer { sources in
        // SAFETY: what the plan points to outlives the call: two closures lend it, and the extensions below keep it.
        var plan = unsafe clinux_spawn(
          executable: words.base[0], arguments: words.base, environment: variables.base, targets: targets.baseAddress,
          sources: sources.baseAddress, descriptors: targets.count, new_session: startsSession ? 1 : 0,
          ends_with_caller: endsWithCaller ? 1 : 0,
          terminal: terminal == nil ? nil : paths.base[0], directory: directory == nil ? nil : paths.base[1])
        let pid = unsafe clinux_spawn(&plan)
        extendLifetime(words)
        extendLifetime(variables)
        extendLifetime(paths)
        return pid
      }
    }
  }
}
