import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import SecretMemory
import TestSupport

extension DesktopSession {
  // The calls of a program of this session; each keeps the session until it returns.

  func probe() throws { try KeyringHelper.built(environment, limit: limit).probe() }

  func enable(_ store: StoreID, _ generation: UInt64) throws -> SecretBytes {
    try KeyringHelper.built(environment, limit: limit).enable(store: store, generation: generation)
  }

  func recall(_ store: StoreID, _ generation: UInt64) throws -> SecretBytes {
    try KeyringHelper.built(environment, limit: limit).recall(store: store, generation: generation)
  }

  func remove(_ store: StoreID) throws { try KeyringHelper.built(environment, limit: limit).remove(store: store) }

  /// Stores an item of the schema by another program's hand.
  func storeItem(_ secret: String, store: StoreID, generation: String) throws {
    try run(
      "secret-tool",
      ["store", "--label=x", "xdg:schema", "org.passcoded.QuickUnlock", "store", "\(store)", "generation", generation],
      input: Array(secret.utf8))
  }
}

extension KeyringHelper {
  /// The built helper in a given environment.
  static func built(_ environment: [String: String], limit: Duration) throws -> KeyringHelper {
    KeyringHelper(
      environment: ProcessEnvironment(environment), executable: try binary(named: "passcode-keyring"), limit: limit)
  }
}
