import Glibc
import PasscodePlatform
import TestSupport

/// A system bus of its own with python-dbusmock's logind on it.
final class LoginBus {
  static let isInstalled =
    unsafe DesktopSession.isInstalled && access("/usr/lib/python3/dist-packages/dbusmock/templates/logind.py", R_OK) == 0

  private let session: DesktopSession
  private var logind: RunningCommand?

  init(home: TemporaryDirectory) throws {
    session = try DesktopSession(home: home, password: nil)
    try startLogind()
  }

  /// What a daemon gets to find the bus.
  var variables: [String: String] {
    ["DBUS_SYSTEM_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""]
  }

  /// Ends logind, as its restart does.
  func stopLogind() { logind = nil }

  func startLogind() throws {
    logind = try Command(python, ["-m", "dbusmock", "--template", "logind"], environment: environment).start()
    while try !session.call("org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.login1", service: bus).contains("true")
    {
      usleep(10_000)
    }
  }

  /// Has logind do something, as the words of ``driver`` say.
  @discardableResult
  func tell(_ words: String...) throws -> String {
    let result = try Command(python, ["-c", Self.driver] + words, environment: environment).run()
    guard result.status == .exited(0) else { throw TestFailure("\(words): \(result.errorText)") }
    return result.outputText
  }

  /// Returns when a daemon has logind's promise to wait.
  func waitForWatch() throws { try tell("wait", "held") }

  private var environment: [String: String] { session.environment.merging(variables) { $1 } }

  private static let driver = """
    import os, sys, time, dbus
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    top, name = "/org/freedesktop/login1", "org.freedesktop.login1"
    logind = bus.get_object(name, top)
    mock = dbus.Interface(logind, "org.freedesktop.DBus.Mock")
    manager = dbus.Interface(logind, name + ".Manager")
    def session(number): return bus.get_object(name, f"{top}/session/{number}")
    def set(number, key, value):
        session(number).UpdateProperties(name + ".Session", {key: value}, dbus_interface="org.freedesktop.DBus.Mock")
    def emit(signal, signature, *arguments): mock.EmitSignal(name + ".Manager", signal, signature, arguments)
    def held(): return [str(i[0]) + " " + str(i[3]) for i in manager.ListInhibitors() if i[1] == "passcoded"]

    verb, words = sys.argv[1], sys.argv[2:]
    if verb == "sleep": emit("PrepareForSleep", "b", True)
    elif verb == "wake": emit("PrepareForSleep", "b", False)
    elif verb == "wait":
        while bool(held()) != (words[0] == "held"): time.sleep(0.005)
    elif verb == "held": print(*held())
    elif verb == "add":
        number, uid, kind = words
        path = mock.AddSession(number, "seat0", dbus.UInt32(uid), "somebody", True)
        set(number, "Class", kind)
        emit("SessionNew", "so", number, dbus.ObjectPath(path))
    elif verb == "lock": session(words[0]).Lock(dbus_interface=name + ".Session")
    elif verb == "hint": session(words[0]).SetLockedHint(True, dbus_interface=name + ".Session")
    elif verb == "close": set(words[0], "State", "closing")
    elif verb == "remove":
        mock.RemoveObject(f"{top}/session/{words[0]}")
        emit("SessionRemoved", "so", words[0], dbus.ObjectPath(f"{top}/session/{words[0]}"))
    elif verb == "forge":
        # To each connection by its own name: no match rule is in the way.
        for peer in bus.list_names():
            if not peer.startswith(":"): continue
            message = dbus.lowlevel.SignalMessage(top, name + ".Manager", "PrepareForSleep")
            message.set_destination(peer)
            message.append(True, signature="b")
            bus.send_message(message)
        bus.flush()
    else: sys.exit("no such word: " + verb)
    """
}

let python = "/usr/bin/python3"
private let bus = "org.freedesktop.DBus"
