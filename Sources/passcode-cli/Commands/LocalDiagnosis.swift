internal import Glibc
internal import PasscodePlatform
internal import PasscodeWire

/// What a command sees by itself of the files and the units, daemon or not.
struct LocalDiagnosis {
  private let environment = ProcessEnvironment.current()
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  var findings: [WireFinding] { [permissions, units] }

  // MARK: - Permissions

  private var permissions: WireFinding {
    do throws(PlatformError) {
      let directories = try UserDirectories(environment: environment, account: .current())
      let named = invocation.value(.store) ?? environment["PASSCODED_STORE"]
      let store = try PathParts.absolute(named ?? directories.data + "/store.db")
      let files = [store, store + "-wal", directories.state + "/device-key", directories.state + "/daemon.log"]
      var faults: [(path: String, mode: String)] = []
      for file in files where try isOpen(file, 0o077) { faults.append((file, "600")) }
      for directory in [directories.data, directories.config, directories.state] {
        // Others may look at a folder; they may not put a file in another's place.
        if try isOpen(directory, 0o022) { faults.append((directory, "700")) }
      }
      guard let first = faults.first else {
        return WireFinding("permissions", .good, "the store's files and folders are yours alone to change")
      }
      let paths = faults.map(\.path).joined(separator: ", ")
      return WireFinding("permissions", .bad, "others can get at \(paths)", remedy: "chmod \(first.mode) \(first.path)")
    } catch {
      return WireFinding("permissions", .bad, "\(error)")
    }
  }

  /// Whether it is there, and another user's or open to others.
  private func isOpen(_ path: String, _ bits: UInt32) throws(PlatformError) -> Bool {
    guard let status = try Files.status(of: path) else { return false }
    return status.owner != geteuid() || status.mode & bits != 0
  }

  // MARK: - Units

  /// Source: systemd.unit(5), "User Unit Search Path".
  private var units: WireFinding {
    guard let runtime = runtimeDirectory, exists(runtime + "/systemd/private") else {
      return WireFinding("units", .note, "systemd runs no user manager here: commands start the daemon")
    }
    let data = environment.absolutePath("XDG_DATA_HOME") ?? home("/.local/share")
    let config = environment.absolutePath("XDG_CONFIG_HOME") ?? home("/.config")
    let shared = [
      "/etc/systemd/user", "/usr/local/share/systemd/user", "/usr/share/systemd/user", "/usr/local/lib/systemd/user",
    ]
    let folders = [config + "/systemd/user", data + "/systemd/user"] + shared + ["/usr/lib/systemd/user"]
    guard folders.contains(where: { exists($0 + "/passcoded.socket") }) else {
      return WireFinding(
        "units", .note, "passcoded.socket is not installed for systemd: commands start the daemon", remedy: "scripts/install")
    }
    guard folders.contains(where: { exists($0 + "/sockets.target.wants/passcoded.socket") }) else {
      return WireFinding(
        "units", .note, "passcoded.socket is installed and not enabled: commands start the daemon",
        remedy: "passcode daemon stop; systemctl --user enable --now passcoded.socket")
    }
    return WireFinding("units", .good, "systemd listens for the daemon and starts it")
  }

  private var runtimeDirectory: String? {
    environment.absolutePath("XDG_RUNTIME_DIR") ?? "/run/user/\(geteuid())"
  }

  private func home(_ rest: String) -> String { (environment.absolutePath("HOME") ?? AccountFacts.current().home ?? "") + rest }

  private func exists(_ path: String) -> Bool { (try? Files.status(of: path, followingLink: false)) ?? nil != nil }
}
