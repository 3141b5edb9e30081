internal import Glibc
internal import PasscodePlatform
internal import PasscodeWire

/// The command `passcode`.
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(CommandError) {
      try refuseUnsafeStart()
      try requireText()
      switch try ArgumentParser.parse(arguments) {
      case .run(let invocation):
        for group in invocation.verb.exclusive { try invocation.requireOne(of: group) }
        try GivenPasscode.check(invocation)
        try invocation.verb.run(invocation)
      case .help(let words): try Output.lines(HelpText.lines(for: words, style: Style(for: 1)))
      case .version: try Output.line("passcode \(Release.version)")
      }
    } catch {
      Output.error(error, asJSON: ArgumentParser.wantsJSON(arguments))
      exit(error.exitCode)
    }
  }

  /// Swift would put a replacement character for each byte that is no UTF-8: different names and paths would become one.
  private static func requireText() throws(CommandError) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return }
      // SAFETY: the kernel ends each argument with a NUL.
      let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument)).bindMemory(to: UInt8.self)
      guard (try? unsafe UTF8Span(validating: bytes.span)) != nil else {
        throw CommandError(65, "InvalidArgument", "argument \(index) is not UTF-8; names, attributes and paths have to be")
      }
    }
  }

  /// Before anything else: nobody may read this process's memory, or have put code of theirs into it.
  private static func refuseUnsafeStart() throws(CommandError) {
    guard let finding = ProcessHardening.apply(.client).first else { return }
    throw CommandError(77, "Unsafe", "this process is not safe for a passcode: \(finding)")
  }
}
