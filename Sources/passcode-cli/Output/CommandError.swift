/// Why a command did not do what it was asked for: what is printed, and the exit code.
///
/// Messages and facts never hold a secret.
struct CommandError: Error {
  /// A fact beside the message, for `--json`.
  enum Fact {
    case text(String)
    case number(Int)
    case texts([String])
    case requirements([Requirement])
  }

  /// A rule of the policy that is not met.
  struct Requirement {
    let id: String
    let text: String
  }

  let exitCode: Int32
  /// The error's full name: the daemon's, or `org.passcoded.Client.…` for what the command itself finds.
  let name: String
  /// What happened; what to do next. On one line.
  let message: String
  /// Lines below it, such as each requirement that is not met.
  var details: [String] = []
  var facts: [(key: String, value: Fact)] = []

  /// The message and what stands below it.
  var lines: [String] { [message] + details }

  static let noDaemonName = "NoDaemon"

  /// Whether there is no daemon: not one that answered and then went, or had no room.
  var isNoDaemon: Bool { name == Self.prefix + Self.noDaemonName }

  private static let prefix = "org.passcoded.Client."

  /// An error that the command itself finds.
  init(_ exitCode: Int32, _ name: String, _ message: String) {
    self.init(exitCode: exitCode, name: Self.prefix + name, message: message)
  }

  init(
    exitCode: Int32, name: String, message: String, details: [String] = [], facts: [(key: String, value: Fact)] = []
  ) {
    self.exitCode = exitCode
    self.name = name
    self.message = message
    self.details = details
    self.facts = facts
  }

  /// The same error with other words.
  func saying(_ message: String) -> CommandError {
    CommandError(exitCode: exitCode, name: name, message: message, details: details, facts: facts)
  }
}
