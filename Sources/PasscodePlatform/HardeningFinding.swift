/// Something about this process that could let another one read its secrets.
///
/// The program refuses to go on.
public enum HardeningFinding: Equatable, Sendable, CustomStringConvertible {
  /// A debugger is attached.
  case tracer(pid: Int32)
  /// A variable that puts other code into the process is set.
  case preload(variable: String)
  /// The process can still be read by others of the same user.
  case dumpable(SyscallError)
  /// A crash could write the memory to disk.
  case coreDumps(SyscallError)
  /// The three standard descriptors, or those beyond, are not as they should be.
  case descriptors(SyscallError)

  /// What was found, for a person.
  public var description: String {
    switch self {
    case .tracer(let pid): "a debugger is attached (process \(pid))"
    case .preload(let variable): "\(variable) is set: it would run other code in this process; unset it"
    case .dumpable(let error): "the process can't be closed to others: \(error)"
    case .coreDumps(let error): "core dumps can't be switched off: \(error)"
    case .descriptors(let error): "the inherited descriptors can't be put in order: \(error)"
    }
  }
}
