public import PasscodePlatform

/// How the daemon hears of suspend, locked screens and the end of sessions: by the helper process `passcode-logind`, so that
/// neither libsystemd nor a bus that hangs gets into this one.
public struct LoginHelper: Sendable {
  private let executable: String?
  private let busAddress: String?
  /// How long the helper may take until it watches.
  let limit: Duration
  /// How long it may say nothing after that: some of its heartbeats.
  let silence: Duration

  /// The helper for the system bus that `environment` names, else the machine's own.
  ///
  /// - Parameter executable: the helper's absolute path; nil looks beside the running program and in its `../libexec`.
  public init(
    environment: ProcessEnvironment, executable: String? = nil, limit: Duration = .seconds(10),
    silence: Duration = .seconds(30)
  ) {
    self.executable = executable ?? (try? ExecutablePath.companion(named: "passcode-logind")) ?? nil
    self.limit = limit
    self.silence = silence
    busAddress = environment["DBUS_SYSTEM_BUS_ADDRESS"]
  }

  /// Starts it.
  ///
  /// - Throws: why there is nothing to start it for.
  func start() throws(LoginWatchFault) -> ChildProcess {
    guard busAddress != nil || Self.hasBus else { throw .noBus }
    guard let executable else { throw .noHelper }
    do throws(PlatformError) {
      return try Spawn.child(executable, environment: busAddress.map { ["DBUS_SYSTEM_BUS_ADDRESS=" + $0] } ?? [])
    } catch {
      throw .system("\(error)")
    }
  }

  /// Source: D-Bus specification, "Well-known Message Bus Instances".
  private static var hasBus: Bool {
    ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"].contains { (try? Files.status(of: $0)) ?? nil != nil }
  }
}

/// Why the daemon hears nothing of the login sessions; the timer locks all the same.
enum LoginWatchFault: Error, Equatable, Sendable {
  /// There is no system bus here.
  case noBus
  /// systemd-logind is not on the bus.
  case noLogind
  /// The helper is not installed.
  case noHelper
  /// The bus did not answer in time, or has gone.
  case lost
  /// The helper says nothing any more: somebody has stopped it, or it hangs.
  case silent
  /// The helper could not be started, or broke off.
  case system(String)

  init(_ status: ExitStatus?) {
    guard case .exited(let code)? = status, let end = LoginWatchEnd(rawValue: code) else {
      self = .system("passcode-logind broke off")
      return
    }
    switch end {
    case .orderly, .lost: self = .lost
    case .noBus: self = .noBus
    case .noLogind: self = .noLogind
    case .exposed: self = .system("passcode-logind found that others can look into it")
    }
  }
}
