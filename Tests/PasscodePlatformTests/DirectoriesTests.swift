import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct DirectoriesTests {
  let account = AccountFacts(uid: geteuid(), userName: "mia", fullName: "Mia Muster", home: "/home/mia", hostName: "host")

  private func directories(_ variables: [String: String]) throws -> UserDirectories {
    try UserDirectories(environment: ProcessEnvironment(variables), account: account)
  }

  @Test("Directories follow XDG, then HOME, then the account")
  func order() throws {
    let xdg = try directories(["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c/", "XDG_STATE_HOME": "/s", "HOME": "/h"])
    #expect([xdg.data, xdg.config, xdg.state] == ["/d/passcoded", "/c/passcoded", "/s/passcoded"])
    let home = try directories(["HOME": "/h"])
    #expect(
      [home.data, home.config, home.state]
        == ["/h/.local/share/passcoded", "/h/.config/passcoded", "/h/.local/state/passcoded"])
    #expect(try directories([:]).data == "/home/mia/.local/share/passcoded")
  }

  @Test("A relative or empty value is ignored", arguments: ["", "relative", "./x", "~/x"])
  func ignored(value: String) throws {
    let variables = ["XDG_DATA_HOME": value, "XDG_CONFIG_HOME": value, "XDG_STATE_HOME": value, "HOME": value]
    #expect(try directories(variables) == directories([:]))
  }

  @Test("Without any home there is an error, not a guess")
  func noHome() throws {
    let nobody = AccountFacts(uid: 4711, userName: "", fullName: "", home: nil, hostName: "")
    #expect(throws: PlatformError.noHome) {
      _ = try UserDirectories(environment: ProcessEnvironment(["HOME": "x"]), account: nobody)
    }
  }

  @Test("Missing directories are made 0700; an existing one may be a link but not open for writing or foreign")
  func prepare() throws {
    let root = try TemporaryDirectory()
    let path = root.file("a/b/passcoded")
    try UserDirectories.prepare(path)
    for part in ["a", "a/b", "a/b/passcoded"] { #expect(try Files.status(of: root.file(part))?.mode == 0o700) }
    try UserDirectories.prepare(path)
    #expect(unsafe symlink(path, root.file("link")) == 0)
    try UserDirectories.prepare(root.file("link"))
    let open = try root.makeDirectory("open", mode: 0o770)
    #expect(throws: PlatformError.unsafeDirectory(path: open, .writableByOthers(mode: 0o770))) {
      try UserDirectories.prepare(open)
    }
    let file = try root.write("file", [])
    #expect(throws: PlatformError.unsafeDirectory(path: file, .notADirectory)) { try UserDirectories.prepare(file) }
  }

  @Test("The environment of a daemon holds what the contract names and nothing else")
  func daemonEnvironment() {
    let environment = ProcessEnvironment([
      "HOME": "/h", "XDG_RUNTIME_DIR": "/r", "LC_ALL": "C", "LANG": "de", "PASSCODED_STORE": "/s", "DISPLAY": ":0",
      "PATH": "/bin", "LD_PRELOAD": "x", "SSH_AUTH_SOCK": "/a", "LISTEN_FDS": "1", "PASSCODE": "x",
      "SWIFT_BACKTRACE": "enable=yes", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b", "XAUTHORITY": "/x",
      "WAYLAND_DISPLAY": "w",
    ])
    #expect(
      environment.forDaemon == [
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/b", "DISPLAY=:0", "HOME=/h", "LANG=de", "LC_ALL=C", "PASSCODED_STORE=/s",
        "WAYLAND_DISPLAY=w", "XAUTHORITY=/x", "XDG_RUNTIME_DIR=/r",
      ])
  }

  @Test("The account's facts are those of the account database")
  func accountFacts() throws {
    let facts = AccountFacts.current()
    #expect(facts.uid == geteuid())
    #expect(!facts.hostName.isEmpty)
    let names = try Files.read("/etc/passwd", limit: 1 << 20).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false) }
    if let entry = names.first(where: { $0.count == 7 && $0[2] == "\(facts.uid)" }) {
      #expect(facts.userName == entry[0] && facts.home == String(entry[5]))
    }
  }
}
