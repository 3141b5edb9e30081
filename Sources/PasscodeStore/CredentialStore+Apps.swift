public import PasscodeCore
internal import PasscodePlatform
public import SecretMemory

/// The same calls with names as text, for apps.
extension CredentialStore {
  /// Opens a store with a policy and an app's own validators; what `PolicyEngine` can't take of the policy is thrown.
  ///
  /// - Throws: `PolicyFault`; as ``open(at:engine:options:)``.
  public static func open(
    at path: String, policy: PasscodePolicy, validators: [any PasscodeValidationDelegate] = [],
    options: StoreOptions = StoreOptions()
  ) throws -> CredentialStore {
    try open(at: path, engine: try PolicyEngine(policy: policy, validators: validators), options: options)
  }

  /// Stores a secret under a name. See ``put(_:secret:_:)-(Span<UInt8>,_,_)``.
  @discardableResult
  public func put(
    _ name: String, secret: borrowing SecretBytes, _ options: PutOptions = PutOptions()
  ) throws(StoreError) -> PutOutcome {
    let bytes = Array(name.utf8)
    return try put(bytes.span, secret: secret.bytes, options)
  }

  /// Lends a secret to `body`, in locked memory that is wiped afterwards.
  ///
  /// - Throws: as ``get(_:version:_:)``.
  public func withSecret(
    _ name: String, version: Int64? = nil, _ body: (Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    let bytes = Array(name.utf8)
    try get(bytes.span, version: version) { (_, secret) throws(StoreError) in try body(secret) }
  }

  /// The names in a folder, in byte order; all names for an empty one. O(n log n).
  ///
  /// - Throws: as ``list(folder:after:limit:_:)``.
  public func names(in folder: String = "") throws(StoreError) -> [String] {
    let bytes = Array(folder.utf8)
    var names: [String] = []
    var next: LookupTag?
    repeat {
      next = try list(folder: bytes.span, after: next) { (metadata, _) throws(StoreError) in names.append(text(metadata.name)) }
    } while next != nil
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Deletes a credential. See ``delete(_:purges:)-(Span<UInt8>,_)``.
  public func delete(_ name: String, purges: Bool = false) throws(StoreError) {
    let bytes = Array(name.utf8)
    try delete(bytes.span, purges: purges)
  }

  /// Gives a credential another name. See ``rename(_:to:replaces:)-(Span<UInt8>,_,_)``.
  public func rename(_ name: String, to newName: String, replaces: Bool = false) throws(StoreError) {
    let (old, new) = (Array(name.utf8), Array(newName.utf8))
    try rename(old.span, to: new.span, replaces: replaces)
  }
}

/// The calls that take half a second, without blocking who calls: each runs on a thread of its own.
extension CredentialStore {
  /// ``unlock(_:)-(SecretBytes)``, without blocking. Takes the passcode over and wipes it.
  public func unlock(_ passcode: consuming sending SecretBytes) async throws -> PasscodeOutcome {
    try await onThread(passcode) { (store, passcode) throws(StoreError) in try store.unlock(passcode) }
  }

  /// ``verify(_:)-(SecretBytes)``, without blocking. Takes the passcode over and wipes it.
  public func verify(_ passcode: consuming sending SecretBytes) async throws -> PasscodeOutcome {
    try await onThread(passcode) { (store, passcode) throws(StoreError) in try store.verify(passcode) }
  }

  private func onThread(
    _ passcode: consuming sending SecretBytes,
    _ body: @escaping @Sendable (CredentialStore, borrowing SecretBytes) throws(StoreError) -> PasscodeOutcome
  ) async throws -> PasscodeOutcome {
    let box = PasscodeBox(passcode)
    return try await withCheckedThrowingContinuation { continuation in
      let isStarted = startThread {
        do throws(StoreError) { continuation.resume(returning: try body(self, box.passcode)) } catch {
          continuation.resume(throwing: error)
        }
      }
      if !isStarted { continuation.resume(throwing: StoreError.busy) }
    }
  }
}

/// Carries a passcode to a thread; wiped when the thread is done with it.
private final class PasscodeBox: Sendable {
  let passcode: SecretBytes
  init(_ passcode: consuming SecretBytes) { self.passcode = passcode }
}
