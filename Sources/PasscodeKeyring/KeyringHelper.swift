public import PasscodeCore
public import PasscodePlatform
public import SecretMemory

/// The OS keyring (Secret Service API), reached through the helper process `passcode-keyring`, so that neither GLib nor a
/// service that hangs gets into this one.
///
/// Each call starts a process, asks it once and has waited for its end when it returns, at the latest at the limit. No call
/// ever makes the keyring show a dialog. Calls block; any thread may make them.
///
/// The item has the schema `org.passcoded.QuickUnlock`, the store's id and a generation as attributes, and 32 random bytes as
/// its secret. It never holds a passcode.
public struct KeyringHelper: Sendable {
  /// How long a call may take: all of it stays under 3 seconds.
  public static let defaultLimit = Duration.milliseconds(2_600)

  private let executable: String?
  private let environment: [String]
  private let limit: Duration

  /// A way to the keyring of the session that `environment` belongs to.
  ///
  /// - Parameter executable: the helper's absolute path; nil looks beside the running program and in its `../libexec`.
  /// - Parameter limit: when the helper is killed.
  public init(
    environment: ProcessEnvironment = .current(), executable: String? = nil, limit: Duration = defaultLimit
  ) {
    self.executable = executable ?? (try? ExecutablePath.companion(named: "passcode-keyring")) ?? nil
    self.environment = Self.variables(environment)
    self.limit = limit
  }

  /// Whether the keyring really works now: an item is stored, read and deleted.
  ///
  /// - Throws: why it does not.
  public func probe() throws(KeyringObstacle) {
    _ = try exchange(KeyringMessage.Request(.probe))
  }

  /// Stores 32 fresh random bytes for a generation of a store's quick unlock; the store's items of other generations are
  /// deleted.
  ///
  /// - Returns: those bytes.
  /// - Throws: why it could not be done. An item may have been stored all the same; it opens nothing.
  ///
  /// Secrets: the caller owns the bytes; no other copy stays in this process.
  public func enable(store: StoreID, generation: UInt64) throws(KeyringObstacle) -> SecretBytes {
    let secret = try SecretBytes.randomKey()
    let request = KeyringMessage.Request(.store, store: store, generation: generation)
    _ = try exchange(request.verb, try request.encoded(with: secret))
    return secret
  }

  /// The 32 bytes that ``enable(store:generation:)`` stored for exactly this generation.
  ///
  /// - Throws: why they can't be had. Nothing is changed by a failure.
  ///
  /// Secrets: the caller owns the bytes. That they are the right ones shows when they open the slot.
  public func recall(store: StoreID, generation: UInt64) throws(KeyringObstacle) -> SecretBytes {
    var reply = try exchange(KeyringMessage.Request(.load, store: store, generation: generation))
    reply.removeFirst(1)
    return reply
  }

  /// Deletes every item of the store. That there is none is no failure.
  ///
  /// - Throws: why an item may be left behind.
  public func remove(store: StoreID) throws(KeyringObstacle) {
    _ = try exchange(KeyringMessage.Request(.delete, store: store))
  }

  /// What the helper gets: what leads to the user's bus, and nothing that leads to a display or to other code. Every symbol is
  /// bound at its start: the lazy resolver of GLib's libraries would spill vector registers, the secret in them, to the stack.
  private static func variables(_ environment: ProcessEnvironment) -> [String] {
    ["LD_BIND_NOW=1"]
      + ["DBUS_SESSION_BUS_ADDRESS", "HOME", "XDG_RUNTIME_DIR"].compactMap { name in environment[name].map { "\(name)=\($0)" } }
  }

  private func exchange(_ request: KeyringMessage.Request) throws(KeyringObstacle) -> SecretBytes {
    try exchange(request.verb, try request.encoded())
  }

  /// The reply to a message, which says that it was done.
  private func exchange(
    _ verb: KeyringMessage.Verb, _ message: borrowing SecretBytes
  ) throws(KeyringObstacle) -> SecretBytes {
    guard let executable else { throw .noHelper }
    let reply = try HelperExchange(executable, environment: environment, limit: limit).reply(to: message)
    if let obstacle = Self.obstacle(in: reply, to: verb) { throw obstacle }
    return reply
  }

  private static func obstacle(in reply: borrowing SecretBytes, to verb: KeyringMessage.Verb) -> KeyringObstacle? {
    guard let status = KeyringMessage.status(of: reply.bytes, to: verb) else { return .failed }
    return KeyringObstacle(status)
  }
}
