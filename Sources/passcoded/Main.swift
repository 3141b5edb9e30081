internal import PasscodePlatform
internal import PasscodeService

/// The daemon: arguments → hardening → open → serve.
@main
enum Main {
  static func main() {
    let environment = ProcessEnvironment.current()
    // Before anything else: from here on nobody new can look into this process.
    let findings = ProcessHardening.apply(.daemon, environment: environment)
    let arguments: Arguments
    do throws(UsageError) {
      arguments = try Arguments(CommandLine.arguments.dropFirst())
    } catch {
      Exit.with(64, "\(error); see passcoded --help")
    }
    switch arguments.action {
    case .help: Exit.printing(Arguments.help)
    case .version: Exit.printing("passcoded \(Daemon.release)\n")
    case .validate(let path, let asAdministrator):
      let report = PolicyValidation.report(on: path, asAdministrator: asAdministrator)
      Exit.printing(report.json + "\n", code: report.exitCode)
    case .importBreachList(let source, let destination):
      Signals.ignoreBrokenPipes()
      let report = BreachListImport.run(from: source, to: destination) { Exit.tell($0 + "\n") }
      Exit.printing(report.json + "\n", code: report.exitCode)
    case .serve: break
    }
    for finding in findings { ServiceLog.standardError.note(.refused("\(finding)")) }
    guard findings.isEmpty else { Exit.with(77, nil) }
    do throws(PlatformError) {
      try serve(arguments, environment)
    } catch {
      Exit.with(Exit.code(for: error), "\(error)")
    }
    Exit.with(0, nil)
  }

  private static func serve(_ arguments: Arguments, _ environment: ProcessEnvironment) throws(PlatformError) {
    Signals.ignoreBrokenPipes()
    Signals.block(signals)
    DescriptorLimit.raise()
    let account = AccountFacts.current()
    let listener = try listener(arguments, environment, account)
    var configuration = try configuration(arguments, environment, account, socketPath: listener.path.path)
    configuration.manager = ServiceManager(environment: environment)
    configuration.loginHelper = LoginHelper(environment: environment)
    ServiceManager.forgetVariables()
    let daemon = Daemon(configuration, listener: listener)
    guard startThread({ obeySignals(daemon) }) else { throw .system(.noThread) }
    try daemon.run()
  }

  private static func listener(
    _ arguments: Arguments, _ environment: ProcessEnvironment, _ account: AccountFacts
  ) throws(PlatformError) -> UnixListener {
    if let listener = try UnixListener.inherited(environment: environment) { return listener }
    return try UnixListener.bind(
      to: SocketPath.resolve(option: arguments.socket, environment: environment, account: account))
  }

  private static func configuration(
    _ arguments: Arguments, _ environment: ProcessEnvironment, _ account: AccountFacts, socketPath: String
  ) throws(PlatformError) -> ServiceConfiguration {
    let directories = try UserDirectories(environment: environment, account: account)
    try UserDirectories.prepare(directories.state)
    if let policy = arguments.policy, try Files.status(of: policy) == nil { Exit.with(66, "\(policy): no such file") }
    let store = arguments.store ?? environment["PASSCODED_STORE"] ?? directories.data + "/store.db"
    var configuration = ServiceConfiguration(
      storePath: try PathParts.absolute(store), socketPath: socketPath,
      policies: ServiceConfiguration.PolicyPaths(
        administrator: "/etc/passcoded/policy.json",
        user: try PathParts.absolute(arguments.policy ?? directories.config + "/policy.json")),
      stateDirectory: directories.state, account: account)
    configuration.pinentry =
      arguments.pinentry ?? environment.absolutePath("PASSCODED_PINENTRY")
    configuration.environment = environment
    configuration.consentFolders.user = directories.config + "/consent"
    configuration.documents = ExecutablePath.documents ?? ""
    return configuration
  }

  private static let signals = [Signals.terminate, Signals.interrupt, Signals.hangUp, Signals.user1]

  private static func obeySignals(_ daemon: Daemon) {
    while true {
      switch Signals.wait(for: signals) {
      case Signals.user1: daemon.lock()
      case Signals.hangUp: daemon.reloadPolicy()
      case Signals.interrupt: daemon.requestStop("SIGINT")
      default: daemon.requestStop("SIGTERM")
      }
    }
  }
}
