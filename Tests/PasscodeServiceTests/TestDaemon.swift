import PasscodePlatform
import PasscodePrompts
import PasscodeStore
import PasscodeWire
import SecretMemory
import Synchronization
import TestSupport

@testable import PasscodeService

/// A daemon in this process, on a socket and a store of its own, with a cheap derivation and a clock that can be turned.
final class TestDaemon: Sendable {
  static let passcode = "correct horse battery staple"

  let directory: TemporaryDirectory
  let clock: TurnedClock
  let log = CapturedLog()
  let daemon: Daemon
  let socket: SocketPath
  private let ended = Monitor(false)

  /// - Parameters:
  ///   - directory: one that an earlier daemon used, to find its store again.
  ///   - administratorPolicy: the text of the administrator's policy file.
  ///   - userPolicy: the text of the user's.
  init(
    in directory: TemporaryDirectory? = nil, administratorPolicy: String? = nil, userPolicy: String? = nil,
    catalog: WireCatalog = .standard, clock: TurnedClock = TurnedClock(),
    adjusting: (inout ServiceConfiguration) -> Void = { _ in },
    extending: @escaping @Sendable (any CallHandler) -> any CallHandler = { $0 }
  ) throws {
    // The first daemon of a directory keeps the lock of its socket as long as it is referenced.
    let socketName = directory == nil ? "socket" : "socket-\(UInt32.random(in: 0 ... .max))"
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    self.clock = clock
    if let administratorPolicy { try directory.write("administrator.json", administratorPolicy.utf8) }
    if let userPolicy { try directory.write("user.json", userPolicy.utf8) }
    socket = try SocketPath(directory.file("run/" + socketName))
    let listener = try UnixListener.bind(to: socket)
    var configuration = ServiceConfiguration(
      storePath: directory.file("store.db"), socketPath: socket.path,
      policies: .init(administrator: directory.file("administrator.json"), user: directory.file("user.json")),
      stateDirectory: directory.path, account: .current())
    configuration.consentFolders = .init(
      administrator: directory.file("consent-administrator"), user: directory.file("consent-user"))
    configuration.storeOptions.derivation = .floor
    configuration.clock = clock.clock
    configuration.log = log.log
    // Never the keyring of whoever runs the tests.
    configuration.makeQuickUnlockMethod = { _ in FakeKeyring(obstacle: "there is no keyring here") }
    // Nor the windows of theirs.
    configuration.pinentry = "/nonexistent/pinentry"
    adjusting(&configuration)
    daemon = Daemon(configuration, listener: listener, catalog: catalog, extending: extending)
    guard
      startThread({ [daemon, ended] in
        try? daemon.run()
        ended.broadcast { $0 = true }
      })
    else { throw TestFailure("no thread") }
  }

  deinit { stop() }

  /// Ends the daemon as SIGTERM does.
  func stop() {
    daemon.requestStop("the test ends")
    waitForEnd()
  }

  /// How many calls wait for a prompt.
  var waiting: Int { daemon.prompts.queue.waiterCount }

  var isPrompting: Bool { daemon.prompts.queue.isShowing }

  func waitForEnd() { ended.wait { $0 ? () : nil } }

  func connect() throws -> RawClient { try RawClient(socket) }

  /// A client of a daemon whose store was just made and is unlocked.
  @discardableResult
  func createStore(_ passcode: String = TestDaemon.passcode) throws -> RawClient {
    let client = try connect()
    try client.call("Passcode.StartFlow", ["flow": .string("create")])
    try client.call("Passcode.EnterPasscode", ["passcode": .string(passcode)])
    let last = try client.call("Passcode.EnterPasscode", ["passcode": .string(passcode)])
    guard last["parameters"]?["step"]?.string(.step) == "finished" else { throw TestFailure("no store was made: \(last)") }
    return client
  }

  func write(_ name: String, _ text: String) throws { try directory.write(name, text.utf8) }
}

/// The system's clock, turned forward as a test likes.
final class TurnedClock: Sendable {
  private let offset = Atomic<UInt64>(0)
  private let slept = Atomic<UInt64>(0)

  private let wall = Atomic<Int64>(0)

  /// Sets the wall clock by this many seconds, forth or back; no time passes.
  func setWall(by seconds: Int64) { wall.wrappingAdd(seconds, ordering: .relaxed) }

  /// Lets time pass.
  func turn(seconds: UInt64) { offset.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed) }

  /// Has the machine sleep.
  func sleep(seconds: UInt64) {
    slept.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed)
    turn(seconds: seconds)
  }

  var clock: ServiceClock {
    ServiceClock(
      sinceBoot: { [self] in BootClock.now() + offset.load(ordering: .relaxed) },
      wallSeconds: { [self] in
        BootClock.wallSeconds() + Int64(offset.load(ordering: .relaxed) / 1_000_000_000) + wall.load(ordering: .relaxed)
      },
      slept: { [self] in
        let slept = slept.load(ordering: .relaxed)
        return slept...slept
      })
  }
}

/// Keeps what a daemon logs.
final class CapturedLog: Sendable {
  private let lines = Monitor<[String]>([])

  var log: ServiceLog { ServiceLog { [lines] line in lines.broadcast { $0.append(line) } } }

  var text: String { lines.withLock { $0.joined(separator: "\n") } }

  /// Waits until a line holds `words`.
  func wait(for words: String) { lines.wait { $0.contains { $0.contains(words) } ? () : nil } }
}
