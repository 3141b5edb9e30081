internal import PasscodePlatform

/// Opens a web address in the person's own browser, and only when they ask for it.
struct Browser {
  private let program: String
  private let environment: ProcessEnvironment

  /// `xdg-open` of the PATH, where there is a display.
  static func find(_ environment: ProcessEnvironment) -> Browser? {
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
    for folder in (environment["PATH"] ?? "").split(separator: ":") where folder.hasPrefix("/") {
      let program = String(folder) + "/xdg-open"
      if ((try? Files.status(of: program)) ?? nil)?.kind == .file { return Browser(program: program, environment: environment) }
    }
    return nil
  }

  /// It runs on by itself; where it does not start, the address is still on the screen.
  ///
  /// - Parameter url: one that a form may have: it starts with a scheme, never with a dash.
  func open(_ url: String) {
    let further = ["PATH", "BROWSER"].compactMap { name in environment[name].map { "\(name)=\($0)" } }
    guard let log = try? Files.open("/dev/null", .append) else { return }
    _ = try? Spawn.daemon(program, arguments: [url], environment: environment.forDaemon + further, log: log)
  }
}
