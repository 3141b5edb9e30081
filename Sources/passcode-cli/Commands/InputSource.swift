internal import Glibc
internal import PasscodePlatform

/// A file that `passcoded` reads for a verb: by its path, or from a descriptor of this command, which becomes its standard input.
struct InputSource {
  /// What the program is told: a path, or `-`.
  let argument: String
  /// The descriptor that it gets; nil where it gets none.
  let descriptor: Int32?
  /// For messages.
  let name: String

  /// - Parameter operand: a path; `-`, `/dev/stdin` and `/dev/fd/N` are descriptors. Reading a path starts at its beginning, and
  ///   another process can't open what is a descriptor of this one.
  init(_ operand: String, _ invocation: Invocation) throws(CommandError) {
    guard let number = Self.descriptor(operand) else {
      (argument, descriptor, name) = (operand, nil, operand)
      return
    }
    guard fcntl(number, F_GETFD) >= 0, fcntl(number, F_GETFL) & O_ACCMODE != O_WRONLY else {
      throw CommandError(66, "NoInput", number == 0 ? "stdin is not open" : "descriptor \(number) is not open for reading")
    }
    if Terminal.isTerminal(number) {
      throw .usage("this is no text to type; name a file, or pipe it in", verb: invocation.verb)
    }
    (argument, descriptor, name) = ("-", number, operand == "-" ? "stdin" : operand)
  }

  private static func descriptor(_ operand: String) -> Int32? {
    if operand == "-" || operand == "/dev/stdin" { return 0 }
    for prefix in ["/dev/fd/", "/proc/self/fd/"] where operand.hasPrefix(prefix) {
      return Int32(operand.dropFirst(prefix.count)).flatMap { $0 >= 0 ? $0 : nil }
    }
    return nil
  }
}
