import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// The real daemon and its helper, with logind's part played by python-dbusmock on a real bus.
@Suite(.serialized, .enabled(if: LoginBus.isInstalled, "needs dbus and python3-dbusmock"))
struct LoginSessionTests {
  // Ends first: who stops a daemon waits for its process to be gone.
  private let daemon: RunningCommand
  private let home: Sandbox
  private let bus: LoginBus

  init() throws {
    home = try Sandbox()
    bus = try LoginBus(home: home.directory)
    try bus.tell("add", "1", "\(geteuid())", "user")
    daemon = try home.startDaemon(bus.variables)
    try home.create()
    try bus.waitForWatch()
  }

  private func state() throws -> String? { jsonString("state", in: try home.expect(0, "status", "--json").outputText) }

  private func waitForLock() throws { while try state() != "locked" { usleep(2000) } }

  /// Ends the daemon.
  private func log() throws -> String {
    daemon.send(signal: SIGTERM)
    return try daemon.finish().errorText
  }

  /// What was sent before has been heard of: the machine sleeps, and logind waited.
  private func passSleep() throws {
    try bus.tell("sleep")
    try bus.tell("wait", "released")
  }

  @Test("Before the machine sleeps the store is locked; awake again, logind is asked to wait once more")
  func suspend() throws {
    #expect(try bus.tell("held") == "sleep delay\n")
    #expect(try home.run(["doctor"]).outputText.contains("the store locks before the machine sleeps"))
    try passSleep()
    #expect(try state() == "locked")
    try bus.tell("wake")
    try bus.waitForWatch()
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    try passSleep()
    #expect(try state() == "locked")
    #expect(try log().split(separator: "\n").count { $0.contains("locked: the machine is about to sleep") } == 2)
  }

  @Test("A policy that does not lock on suspend or with the screen: the machine sleeps at once, the store stays open")
  func policySaysNo() throws {
    try home.write(policy: #""lockOnSuspend": false, "lockOnScreenLock": false"#)
    #expect(try state() == "unlocked")
    try bus.tell("lock", "1")
    try passSleep()
    #expect(try state() == "unlocked")
  }

  @Test("A locked screen locks the store: by the signal Lock and by LockedHint", arguments: ["lock", "hint"])
  func screenLock(word: String) throws {
    try bus.tell(word, "1")
    try waitForLock()
    #expect(try log().contains("locked: the screen was locked"))
  }

  @Test("Sessions of another user, and signals of anybody but logind, change nothing")
  func others() throws {
    try home.write(policy: #""lockOnSuspend": false"#)
    _ = try state()
    try bus.tell("add", "7", "\(geteuid() + 1)", "user")
    try bus.tell("lock", "7")
    try bus.tell("hint", "7")
    try bus.tell("remove", "7")
    // The helper has heard all that once it lets the machine sleep.
    try passSleep()
    #expect(try state() == "unlocked")
    try home.write(policy: "")
    _ = try state()
    try bus.tell("wake")
    try bus.waitForWatch()
    try bus.tell("forge")
    try bus.tell("lock", "1")
    try waitForLock()
    #expect(try bus.tell("held") == "sleep delay\n")
    #expect(try !log().contains("about to sleep"))
  }

  @Test("The end of the last login session locks the store, and only that", arguments: ["remove", "close"])
  func lastSession(word: String) throws {
    try home.write(policy: #""lockOnSuspend": false"#)
    _ = try state()
    try bus.tell("add", "2", "\(geteuid())", "user")
    // cron's
    try bus.tell("add", "3", "\(geteuid())", "background")
    try bus.tell(word, "1")
    try passSleep()
    #expect(try state() == "unlocked")
    try bus.tell(word, "2")
    try waitForLock()
    #expect(try log().contains("locked: the last login session has ended"))
  }

  @Test("SC-51: what happens while the helper is away counts when it is back", arguments: ["hint", "remove"])
  func whileAway(word: String) throws {
    let helpers = try Command("/usr/bin/pgrep", ["-P", "\(daemon.pid)", "-x", "passcode-logind"]).run().outputText
    let helper = try #require(Int32(helpers.filter(\.isNumber)))
    kill(helper, SIGKILL)
    try bus.tell(word, "1")
    try waitForLock()
    #expect(try log().contains(word == "hint" ? "locked: the screen was locked" : "locked: the last login session has ended"))
  }

  @Test("When logind or the bus comes back, it is listened to again")
  func restart() throws {
    bus.stopLogind()
    #expect(try state() == "unlocked")
    try bus.startLogind()
    try bus.waitForWatch()
    try passSleep()
    #expect(try state() == "locked")
  }

  @Test("The helper ends with the daemon, though that is killed")
  func orphan() throws {
    kill(daemon.pid, SIGKILL)
    _ = try daemon.finish()
    try bus.tell("wait", "released")
  }

  @Test(
    "When logind lets the machine sleep, the daemon's memory holds no key, no passcode and no secret",
    .enabled(if: geteuid() == 0, "reads another process's memory"))
  func memory() throws {
    try home.expect(0, "put", "a", input: "canary-8f1c7e22-5d0b".utf8)
    try home.expect(0, "get", "a")
    let result = try Command(
      python, ["-c", Self.observer, "\(daemon.pid)", "canary-8f1c7e22-5d0b", Sandbox.passcode], environment: bus.variables
    ).run()
    #expect(result.status == .exited(0), "\(result.errorText)")
    #expect(result.outputText == "keys before: some\nkeys after: 0\ntexts after: 0\n", "\(result.outputText)")
  }

  /// Takes what looks random from the daemon's locked memory, has logind announce the sleep, stops the daemon as soon as the
  /// promise is given back, and looks for all of it.
  private static let observer = """
    import collections, os, re, signal, sys, time, dbus
    pid, texts = int(sys.argv[1]), [text.encode() for text in sys.argv[2:]]
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    logind = bus.get_object("org.freedesktop.login1", "/org/freedesktop/login1")
    manager = dbus.Interface(logind, "org.freedesktop.login1.Manager")
    mock = dbus.Interface(logind, "org.freedesktop.DBus.Mock")

    def areas():
        area, found = None, []
        for line in open(f"/proc/{pid}/smaps"):
            if re.match("[0-9a-f]+-", line):
                span, access, _, _, inode = line.split()[:5]
                start, end = (int(part, 16) for part in span.split("-"))
                # Not what allocators only reserve.
                is_used = access[0] == "r" or end - start < 1 << 20
                area = [start, end, is_used and (inode == "0" or access[1] == "w")]
            elif line.startswith("VmFlags:") and area[2]: found.append((area[0], area[1], "lo" in line.split()))
        return found

    def contents(only_locked):
        with open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for start, end, is_locked in areas():
                if only_locked and not is_locked: continue
                try:
                    memory.seek(start)
                    yield memory.read(end - start)
                except (OSError, OverflowError): continue

    def random_pieces():
        found = collections.Counter()
        for content in contents(True):
            for at in range(0, len(content) - 15, 8):
                piece = content[at:at + 16]
                if len(set(piece)) > 11: found[piece] += 1
        # What stands there more than once is the guard of libsodium's allocations.
        return [piece for piece, count in found.items() if count == 1]

    keys = random_pieces()
    print("keys before:", "some" if len(keys) > 4 else len(keys))
    mock.EmitSignal("org.freedesktop.login1.Manager", "PrepareForSleep", "b", [True])
    while manager.ListInhibitors(): time.sleep(0.0005)
    os.kill(pid, signal.SIGSTOP)
    try: after = list(contents(False))
    finally: os.kill(pid, signal.SIGCONT)
    print("keys after:", sum(any(key in content for content in after) for key in keys))
    print("texts after:", sum(text in content for content in after for text in texts))
    """
}

/// Where there is nothing to listen to.
@Suite struct NoLoginSessionTests {
  @Test("Without a bus the daemon says so once, serves and locks by time")
  func noBus() throws {
    let home = try Sandbox(policy: #""lockTimeoutSeconds": 1"#)
    let daemon = try home.startDaemon(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + home.directory.file("none")])
    try home.create()
    while jsonString("state", in: try home.expect(0, "status", "--json").outputText) != "locked" { usleep(10_000) }
    #expect(try home.run(["doctor"]).outputText.contains("passcode lock (or send SIGUSR1 to passcoded)"))
    daemon.send(signal: SIGTERM)
    let log = try daemon.finish().errorText
    #expect(log.contains("locked: time is up"))
    #expect(log.split(separator: "\n").count { $0.contains("there is no system bus; the store locks by time alone") } == 1)
  }

  @Test("A bus that takes connections and never answers delays nobody, not even the end")
  func hangingBus() throws {
    let home = try Sandbox()
    let listener = try UnixListener.bind(to: SocketPath(home.directory.file("bus/socket")))
    let daemon = try home.startDaemon(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + listener.path.path])
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    #expect(try home.expect(0, "get", "a").outputText == "x")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().status == .exited(0))
  }
}
