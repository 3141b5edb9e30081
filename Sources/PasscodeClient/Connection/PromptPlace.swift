public import PasscodePlatform
internal import PasscodeWire

/// Where the person of a client sits, for a call that has the daemon ask: the display, and the terminal where there is none.
public struct PromptPlace: Sendable, Equatable {
  /// The terminal, such as `/dev/pts/3`; the daemon uses it only if it is the controlling terminal of this very process.
  public var terminal: String?
  /// The variables of a display, a session bus and a locale; the daemon ignores others.
  public var environment: [String: String]

  /// A place.
  public init(terminal: String?, environment: [String: String]) {
    self.terminal = terminal
    self.environment = environment
  }

  /// Where nobody can be asked.
  public static let nowhere = PromptPlace(terminal: nil, environment: [:])

  /// Where this process was started.
  public static func current(_ environment: ProcessEnvironment = .current()) -> PromptPlace {
    var variables: [String: String] = [:]
    for name in names { variables[name] = environment[name] }
    return PromptPlace(terminal: Terminal.path, environment: variables)
  }

  /// Whether a window can be shown.
  public var hasDisplay: Bool { environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil }

  /// Whether there is somewhere to ask.
  var canAsk: Bool { hasDisplay || terminal != nil }

  func write(to call: inout MessageWriter) {
    call.string(.terminal, terminal)
    call.map(.environment, environment)
  }

  private static let names = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
  ]
}
