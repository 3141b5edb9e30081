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
      switch try ArgumentParser.parse(arguments) {
      case .run(let invocation):
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

  /// Before anything else: nobody may read this process's memory, or have put code of theirs into it.
  private static func refuseUnsafeStart() throws(CommandError) {
    guard let finding = ProcessHardening.apply(.client).first else { return }
    throw CommandError(77, "Unsafe", "this process is not safe for a passcode: \(finding)")
  }
}
