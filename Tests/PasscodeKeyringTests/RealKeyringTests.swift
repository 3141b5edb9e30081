import Glibc
import PasscodeCore
import PasscodeKeyring
import SecretMemory
import TestSupport
import Testing

@Suite(.enabled(if: DesktopSession.isInstalled, "no gnome-keyring, dbus-run-session or secret-tool"))
struct RealKeyringTests {
  private let store = StoreID.random()
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private func session(password: String = "password") throws -> DesktopSession {
    try DesktopSession(home: home, password: password)
  }

  /// Why the key can't be recalled; nil where it can.
  private func obstacle(_ session: DesktopSession, generation: UInt64 = 1) throws -> KeyringObstacle? {
    do {
      _ = try session.recall(store, generation).count
      return nil
    } catch let obstacle as KeyringObstacle {
      return obstacle
    }
  }

  @Test("The key comes back as it was made, after a restart of the session too, and is gone once removed")
  func life() throws {
    let made = try beforeRestart()
    let session = try session()
    let recalled = try session.recall(store, 1)
    let isSame = SecretBytes.isEqual(made, recalled) && made.count == 32
    #expect(isSame)
    try session.remove(store)
    #expect(try session.itemCount() == 0)
    #expect(try obstacle(session) == .absent)
    try session.remove(store)
  }

  /// Makes a key in a session that ends.
  private func beforeRestart() throws -> SecretBytes {
    let session = try session()
    let made = try session.enable(store, 1)
    let recalled = try session.recall(store, 1)
    let isSame = SecretBytes.isEqual(made, recalled)
    #expect(isSame)
    return made
  }

  @Test("A new key takes the old one's place: an item of another generation is told apart from none")
  func generations() throws {
    let session = try session()
    _ = try session.enable(store, 1).count
    _ = try session.enable(store, 2).count
    #expect(try session.itemCount() == 1)
    #expect(try obstacle(session, generation: 2) == nil)
    #expect(try obstacle(session, generation: 1) == .newerGeneration)
    #expect(try obstacle(session, generation: 3) == .olderGeneration)
    let again = try session.enable(store, 2)
    let recalled = try session.recall(store, 2)
    let isSame = SecretBytes.isEqual(again, recalled)
    #expect(isSame)
    #expect(try session.itemCount() == 1)
  }

  @Test("SC-49: an item that has gone is said to be gone, and another store's is not touched")
  func otherStore() throws {
    let session = try session()
    let other = StoreID.random()
    _ = try session.enable(other, 1).count
    #expect(try obstacle(session) == .otherStore)
    try session.remove(store)
    _ = try session.recall(other, 1).count
    try session.remove(other)
    #expect(try obstacle(session) == .absent)
  }

  @Test(
    "An item that another program replaced is not taken for the key",
    arguments: ["short", "longer than the key, by far and more"])
  func foreign(secret: String) throws {
    let session = try session()
    _ = try session.enable(store, 1).count
    try session.storeItem(secret, store: store, generation: "1")
    #expect(try session.itemCount() == 1)
    #expect(try obstacle(session) == .foreign)
    try session.remove(store)
    try session.storeItem(secret, store: store, generation: "one")
    #expect(try obstacle(session, generation: 2) == .foreign)
    try session.remove(store)
    #expect(try session.itemCount() == 0)
  }

  @Test("SC-47: a keyring that works is found to work, and the probe leaves nothing behind")
  func probe() throws {
    let session = try session()
    try session.probe()
    try session.probe()
    #expect(try session.itemCount(schema: "org.passcoded.QuickUnlock.Probe") == 0)
  }

  @Test("SC-45, SC-47: a locked keyring is said to be locked, whatever is asked of it, and nothing is asked of the user")
  func locked() throws {
    let session = try session()
    _ = try session.enable(store, 1).count
    try session.lockKeyring()
    #expect(try obstacle(session) == .locked)
    #expect(throws: KeyringObstacle.locked) { try session.probe() }
    #expect(throws: KeyringObstacle.locked) { _ = try session.enable(store, 2).count }
    #expect(throws: KeyringObstacle.locked) { try session.remove(store) }
  }

  @Test("SC-45: a login with another password leaves the keyring locked, and it says so")
  func wrongPassword() throws {
    _ = try session().enable(store, 1).count
    let session = try DesktopSession(home: home, password: "another")
    #expect(try obstacle(session) == .locked)
  }

  @Test("SC-45: a service whose process hangs costs the limit and no more")
  func hangingService() throws {
    let session = try session()
    session.limit = KeyringHelper.defaultLimit
    let service = try session.keyringProcess()
    kill(service, SIGSTOP)
    defer { kill(service, SIGCONT) }
    let start = ContinuousClock.now
    #expect(try obstacle(session) == .tooSlow)
    let duration = ContinuousClock.now - start
    #expect(duration >= KeyringHelper.defaultLimit && KeyringHelper.defaultLimit < .seconds(3))
  }

  @Test("SC-45: a service that the bus can't start, but that has taken its name, is found")
  func startedByItself() throws {
    let configuration = try home.write(
      "bus.conf",
      """
      <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """.utf8)
    let session = try DesktopSession(home: home, password: "password", bus: configuration)
    try session.probe()
    _ = try session.enable(store, 1).count
    #expect(try obstacle(session) == nil)
    try session.remove(store)
  }

  @Test("SC-63: removing the key empties every unlocked keyring of the store's items")
  func everyCollection() throws {
    let session = try session()
    _ = try session.enable(store, 1).count
    try session.run(
      "secret-tool",
      [
        "store", "--label=x", "--collection=session", "xdg:schema", "org.passcoded.QuickUnlock", "store", "\(store)",
        "generation", "1",
      ], input: [1, 2])
    #expect(try session.itemCount() == 2)
    try session.remove(store)
    #expect(try session.itemCount() == 0)
  }
}
