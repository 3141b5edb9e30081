import Glibc
import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

private let programs = ["dbus-run-session", "dbus-send", "keepassxc", "keepassxc-cli"].map { "/usr/bin/" + $0 }

/// A Secret Service of another make: KeePassXC, which asks its user before each item that another program makes.
@Suite(.enabled(if: programs.allSatisfy { unsafe access($0, X_OK) == 0 }, "no keepassxc or dbus-run-session"))
struct KeePassXCTests {
  private let store = StoreID.random()
  private let home: TemporaryDirectory

  /// Makes a database whose only group is what the service shows.
  init() throws {
    home = try TemporaryDirectory()
    try home.write(
      "database.xml",
      """
      <?xml version="1.0" encoding="utf-8"?>
      <KeePassFile><Meta><Generator>KeePass</Generator><CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key>
      <Value>{00112233-4455-6677-8899-aabbccddeeff}</Value></Item></CustomData></Meta>
      <Root><Group><UUID>ABEiM0RVZneImaq7zN3u/w==</UUID><Name>Root</Name></Group></Root></KeePassFile>
      """.utf8)
    try home.write("password", "a password\n".utf8)
    try home.makeDirectory(".config")
    try home.makeDirectory(".config/keepassxc")
    try home.makeDirectory("tmp")
    try home.write(
      ".config/keepassxc/keepassxc.ini",
      """
      [General]
      ConfigVersion=2
      UpdateCheckMessageShown=true
      [FdoSecrets]
      Enabled=true
      ShowNotification=false

      """.utf8)
    _ = try cli(["import", "-p", home.file("database.xml"), home.file("database.kdbx")], input: "a password\na password\n")
  }

  private func cli(_ arguments: [String], input: String) throws -> String {
    var command = Command(programs[3], arguments, environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"])
    command.input = Array(input.utf8)
    let result = try command.run()
    guard result.status == .exited(0) else { throw TestFailure("keepassxc-cli: \(result.errorText)") }
    return result.outputText
  }

  /// KeePassXC with the database open, without a screen. One runs for each TMPDIR.
  ///
  /// It shows the database before it has opened it, as a locked collection.
  private func session() throws -> DesktopSession {
    try DesktopSession(
      home: home,
      service: """
        export TMPDIR="$HOME/tmp" QT_QPA_PLATFORM=offscreen
        keepassxc --pw-stdin "$HOME/database.kdbx" <"$HOME/password" >/dev/null 2>&1 3<&- 4>&- &
        """,
      isReady: """
        ask /org/freedesktop/secrets org.freedesktop.Secret.Service.ReadAlias string:default | grep -q collection/database &&
          ask /org/freedesktop/secrets/collection/database org.freedesktop.DBus.Properties.Get \\
            string:org.freedesktop.Secret.Collection string:Locked | grep -q 'boolean false'
        """)
  }

  private func obstacle(_ call: () throws -> Void) throws -> KeyringObstacle? {
    do { try call() } catch let obstacle as KeyringObstacle { return obstacle }
    return nil
  }

  @Test("SC-45: a keyring that asks its user for each new item is found out; nothing is asked, and nothing is left in it")
  func asks() throws {
    let session = try session()
    let obstacles = [
      try obstacle { try session.probe() }, try obstacle { _ = try session.enable(store, 1).count },
      try obstacle { _ = try session.recall(store, 1).count }, try obstacle { try session.remove(store) },
    ]
    #expect(obstacles == [.wouldAsk, .wouldAsk, .absent, nil])
    #expect(try session.itemCount() == 0)
    #expect(try session.itemCount(schema: "org.passcoded.QuickUnlock.Probe") == 0)
    let content = try cli(["export", home.file("database.kdbx")], input: "a password\n")
    #expect(content.contains("FDO_SECRETS_EXPOSED_GROUP") && !content.contains("<Entry>"))
  }
}
