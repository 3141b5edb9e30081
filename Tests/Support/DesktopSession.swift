internal import Glibc
internal import PasscodePlatform

/// A session bus of its own, with a real gnome-keyring on it or not, until the owner ends.
public final class DesktopSession {
  /// Whether the programs of a session are installed.
  public static let isInstalled = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon", "secret-tool"].allSatisfy {
    unsafe access("/usr/bin/" + $0, X_OK) == 0
  }

  /// What its programs get.
  public let environment: [String: String]
  /// How long a call to its keyring may take: no test depends on how fast the machine is.
  public var limit = Duration.seconds(60)
  private let process: RunningCommand
  private let control: Int32

  /// The service answers for its name a moment after its start.
  private static let startKeyring = """
    printf %s "$1" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 3<&- 4>&- || exit 1
    until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \\
      org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; do sleep 0.01; done

    """

  /// Starts a session.
  ///
  /// - Parameter home: where its keyrings are kept.
  /// - Parameter password: what its keyring is unlocked with, or made with; nil starts none.
  /// - Parameter bus: a configuration file of dbus-daemon.
  public convenience init(home: TemporaryDirectory, password: String?, bus: String? = nil) throws {
    try self.init(home: home, bus: bus, script: password == nil ? "" : Self.startKeyring, password ?? "", ending: "")
  }

  /// Starts a session with another service, on a bus that starts nobody: no other keyring takes the name.
  ///
  /// - Parameter service: lines of a shell that start it, in the background as the last one.
  /// - Parameter condition: a command that succeeds when it is ready; `ask PATH METHOD ARGUMENT…` prints what it replies.
  public convenience init(home: TemporaryDirectory, service: String, isReady condition: String) throws {
    let bus = try home.write(
      "bus.conf",
      """
      <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth><policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """.utf8)
    let script = """
      \(service)
      service=$!
      ask() { dbus-send --session --print-reply --dest=org.freedesktop.secrets "$@" 2>/dev/null; }
      until \(condition); do kill -0 $service || exit 1; sleep 0.01; done

      """
    try self.init(home: home, bus: bus, script: script, "", ending: "; kill $service; wait $service")
  }

  private init(
    home: TemporaryDirectory, bus: String?, script start: String, _ argument: String, ending: String
  ) throws {
    let (controlReading, controlWriting) = try makePipe()
    let (addressReading, addressWriting) = try makePipe()
    let script = start + "echo $DBUS_SESSION_BUS_ADDRESS >&4 && exec 4>&- && read x <&3" + ending
    let variables = ["HOME": home.path, "XDG_RUNTIME_DIR": home.path, "PATH": "/usr/bin:/bin"]
    var command = Command(
      "/usr/bin/dbus-run-session",
      (bus.map { ["--config-file=" + $0] } ?? []) + ["--", "/bin/sh", "-c", script, "session", argument],
      environment: variables)
    command.descriptors = [3: controlReading, 4: addressWriting]
    process = try command.start()
    control = controlWriting
    close(controlReading)
    close(addressWriting)
    // Not to its end: what the session leaves running may keep it open.
    var address: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(addressReading, &byte, 1) == 1, byte != UInt8(ascii: "\n") { address.append(byte) }
    close(addressReading)
    guard !address.isEmpty else {
      close(controlWriting)
      throw TestFailure("no session: \(try process.finish().errorText)")
    }
    environment = variables.merging(
      ["DBUS_SESSION_BUS_ADDRESS": String(decoding: address, as: UTF8.self)]) { $1 }
  }

  deinit {
    close(control)
    _ = try? process.finish()
  }

  /// Runs a program of the session to its end, which must be a good one.
  @discardableResult
  public func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> String {
    var command = Command("/usr/bin/" + program, arguments, environment: environment)
    command.input = input
    let result = try command.run()
    guard result.status == .exited(0) else { throw TestFailure("\(program): \(result.status) \(result.errorText)") }
    return result.outputText
  }

  /// Calls a method of the keyring's service.
  @discardableResult
  public func call(_ method: String, _ arguments: String..., service: String = "org.freedesktop.secrets") throws -> String {
    let path = service == "org.freedesktop.secrets" ? "/org/freedesktop/secrets" : "/org/freedesktop/DBus"
    return try run("dbus-send", ["--session", "--print-reply", "--dest=" + service, path, method] + arguments)
  }

  /// Locks the default collection.
  public func lockKeyring() throws {
    try call("org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
  }

  /// The process that serves the keyring.
  public func keyringProcess() throws -> Int32 {
    let reply = try call(
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.secrets", service: "org.freedesktop.DBus")
    guard let pid = reply.split(whereSeparator: \.isWhitespace).last.flatMap({ Int32($0) }) else {
      throw TestFailure("no pid in \(reply)")
    }
    return pid
  }

  /// How many items of the schema the keyring holds.
  public func itemCount(schema: String = "org.passcoded.QuickUnlock") throws -> Int {
    let reply = try call("org.freedesktop.Secret.Service.SearchItems", "dict:string:string:xdg:schema,\(schema)")
    return reply.split(separator: "\n").count { $0.contains("object path") }
  }
}
