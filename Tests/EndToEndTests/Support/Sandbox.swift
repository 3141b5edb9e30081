import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// A private home for real programs: nothing outside of it is read or written, and its daemon ends with it.
final class Sandbox: Sendable {
  static let passcode = "amber-lantern-49-orbit-mule"
  static let newPasscode = "five-copper-kites-drift-17"
  /// The cheapest derivation that a user's policy can ask for.
  static let cheap = #""keyDerivation": {"targetMilliseconds": 10, "minMemoryMiB": 64, "maxMemoryMiB": 64}"#

  let directory: TemporaryDirectory
  let environment: [String: String]
  private let program: String

  /// - Parameter policy: further members of the user's policy.
  init(policy: String = "", environment extra: [String: String?] = [:]) throws {
    directory = try TemporaryDirectory()
    program = try binary(named: "passcode")
    var environment = ["HOME": directory.path, "LANG": "C.UTF-8"]
    for (variable, name) in [
      ("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_RUNTIME_DIR", "run"),
    ] {
      environment[variable] = try directory.makeDirectory(name)
    }
    for (variable, value) in extra { environment[variable] = value }
    self.environment = environment
    try directory.makeDirectory("config/passcoded")
    try write(policy: policy)
    try directory.write("passcode", Self.passcode.utf8)
    try directory.write("new", Self.newPasscode.utf8)
    try directory.write("wrong", "guess".utf8)
  }

  deinit { _ = try? run(["--no-autostart", "daemon", "stop"]) }

  /// Writes the user's policy.
  func write(policy: String) throws {
    let members = policy.isEmpty ? Self.cheap : "\(Self.cheap), \(policy)"
    try directory.write("config/passcoded/policy.json", "{\(members)}".utf8)
  }

  func command(_ arguments: [String]) -> Command { Command(program, arguments, environment: environment) }

  /// Runs `passcode`.
  func run(_ arguments: [String], input: some Sequence<UInt8> = []) throws -> CommandResult {
    var command = command(arguments)
    command.input = Array(input)
    return try command.run()
  }

  /// Runs `passcode`, which has to end with `code`.
  @discardableResult
  func expect(
    _ code: Int32, _ arguments: String..., input: some Sequence<UInt8> = [UInt8](),
    at location: SourceLocation = #_sourceLocation
  ) throws -> CommandResult {
    let result = try run(arguments, input: input)
    #expect(
      result.status == .exited(code), "passcode \(arguments.joined(separator: " ")): \(result.errorText)",
      sourceLocation: location)
    return result
  }

  /// Starts the daemon itself, in the foreground, and returns when it serves.
  func startDaemon(_ variables: [String: String] = [:]) throws -> RunningCommand {
    let daemon = try Command(
      try binary(named: "passcoded"), environment: environment.merging(variables) { _, new in new }
    ).start()
    while try run(["--no-autostart", "daemon", "status"]).status == .exited(69), kill(daemon.pid, 0) == 0 { usleep(2000) }
    return daemon
  }

  /// Makes the store, unlocked.
  func create(at location: SourceLocation = #_sourceLocation) throws {
    try expect(0, "create", "--passcode-file", passcodeFile, at: location)
  }

  var passcodeFile: String { directory.file("passcode") }
  var newFile: String { directory.file("new") }
  var wrongFile: String { directory.file("wrong") }
  var storePath: String { directory.file("data/passcoded/store.db") }
  var socketPath: String { directory.file("run/passcoded/socket") }

  /// The daemon that answers.
  func daemonPID() throws -> Int32 {
    let text = try expect(0, "status", "--json").outputText
    guard let pid = jsonNumber("pid", in: text).flatMap(Int32.init(exactly:)) else { throw TestFailure("no pid in \(text)") }
    return pid
  }

  /// Starts `passcode` on a terminal.
  func onTerminal(_ arguments: String..., variables: [String: String] = ["TERM": "xterm"]) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal()
    var command = command(arguments)
    command.environment.merge(variables) { _, new in new }
    try terminal.start(command)
    return terminal
  }
}
