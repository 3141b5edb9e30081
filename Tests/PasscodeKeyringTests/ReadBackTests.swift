import Glibc
import PasscodeCore
import PasscodeKeyring
import SecretMemory
import TestSupport
import Testing

private let needed = ["/usr/lib/python3/dist-packages/dbus", "/usr/lib/python3/dist-packages/gi", "/usr/bin/python3"]
private let isInstalled = needed.allSatisfy { unsafe access($0, R_OK) == 0 }

/// A Secret Service that takes whatever it is given, and keeps it or something else.
@Suite(.enabled(if: DesktopSession.isInstalled && isInstalled, "no dbus-run-session, or no python3-dbus or python3-gi"))
struct ReadBackTests {
  private let store = StoreID.random()
  private let home: TemporaryDirectory

  init() throws {
    home = try TemporaryDirectory()
    try home.write("service.py", Self.service.utf8)
  }

  /// A session whose keyring keeps a secret as this expression of Python has it.
  private func session(keeping expression: String) throws -> DesktopSession {
    try DesktopSession(
      home: home, service: "/usr/bin/python3 \"$HOME/service.py\" '\(expression)' >/dev/null 2>&1 3<&- 4>&- &",
      isReady: "ask /org/freedesktop/secrets org.freedesktop.Secret.Service.ReadAlias string:default | grep -q collection")
  }

  @Test("A keyring that keeps what it was given turns quick unlock on")
  func honest() throws {
    let session = try session(keeping: "secret")
    try session.probe()
    let key = try session.enable(store, 1)
    let recalled = try session.recall(store, 1)
    let isSame = key.count == 32 && SecretBytes.isEqual(key, recalled)
    #expect(isSame)
    #expect(try session.itemCount() == 1)
  }

  @Test(
    "What a keyring was given is read back when quick unlock is turned on: where it keeps something else, nothing is left in it",
    arguments: ["secret[:-1] + bytes([secret[-1] ^ 1])", "secret[:-1]", "secret + secret", "b\"\""])
  func altered(expression: String) throws {
    let session = try session(keeping: expression)
    #expect(throws: KeyringObstacle.failed) { _ = try session.enable(store, 1).count }
    #expect(try session.itemCount() == 0)
  }

  private static let service = """
    import sys
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    ROOT, COLLECTION = "/org/freedesktop/secrets", "/org/freedesktop/secrets/collection/only"
    SECRET = "org.freedesktop.Secret."
    items = {}

    def found(attributes):
        return dbus.Array([path for path, item in items.items() if attributes.items() <= item.attributes.items()], "o")

    class Node(dbus.service.Object):
        @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v")
        def Get(self, interface, name): return self.facts()[name]

        @dbus.service.method(dbus.PROPERTIES_IFACE, "s", "a{sv}")
        def GetAll(self, interface): return self.facts()

    class Item(Node):
        def __init__(self, path, attributes, secret):
            super().__init__(bus, path)
            self.path, self.attributes, self.secret = path, attributes, secret

        def facts(self):
            return {"Locked": False, "Label": "x", "Attributes": dbus.Dictionary(self.attributes, "ss"),
                    "Created": dbus.UInt64(0), "Modified": dbus.UInt64(0)}

        def told(self, session):
            return session, dbus.ByteArray(b""), dbus.ByteArray(self.secret), "text/plain"

        @dbus.service.method(SECRET + "Item", "o", "(oayays)")
        def GetSecret(self, session): return self.told(session)

        @dbus.service.method(SECRET + "Item", "", "o")
        def Delete(self):
            del items[self.path]
            self.remove_from_connection()
            return "/"

    class Collection(Node):
        def facts(self):
            return {"Locked": False, "Label": "x", "Items": dbus.Array(list(items), "o"),
                    "Created": dbus.UInt64(0), "Modified": dbus.UInt64(0)}

        @dbus.service.method(SECRET + "Collection", "a{ss}", "ao")
        def SearchItems(self, attributes): return found(attributes)

        @dbus.service.method(SECRET + "Collection", "a{sv}(oayays)b", "oo")
        def CreateItem(self, properties, given, replace):
            secret = bytes(given[2])
            path = COLLECTION + "/" + str(len(items) + 1)
            items[path] = Item(path, dict(properties[SECRET + "Item.Attributes"]), eval(sys.argv[1]))
            return path, "/"

    class Service(Node):
        def facts(self): return {"Collections": dbus.Array([COLLECTION], "o")}

        @dbus.service.method(SECRET + "Service", "sv", "vo")
        def OpenSession(self, algorithm, given):
            if algorithm != "plain": raise dbus.DBusException(name="org.freedesktop.DBus.Error.NotSupported")
            return dbus.String("", variant_level=1), ROOT + "/session/only"

        @dbus.service.method(SECRET + "Service", "s", "o")
        def ReadAlias(self, name): return COLLECTION

        @dbus.service.method(SECRET + "Service", "a{ss}", "aoao")
        def SearchItems(self, attributes): return found(attributes), dbus.Array([], "o")

        @dbus.service.method(SECRET + "Service", "aoo", "a{o(oayays)}")
        def GetSecrets(self, paths, session): return {path: items[path].told(session) for path in paths}

    nodes = Service(bus, ROOT), Collection(bus, COLLECTION)
    name = dbus.service.BusName("org.freedesktop.secrets", bus)
    GLib.MainLoop().run()

    """
}
