internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore

/// The one store of the daemon: opened when it is first asked for, and kept open.
///
/// A store that can't be opened is tried again at the next request: what was briefly unreadable is not taken for missing, and
/// nothing is ever made in its place.
final class StoreHolder: Sendable {
  private struct State {
    var store: CredentialStore?
    /// How many requests are using it.
    var users = 0
    /// Somebody makes it or takes it away. Until then it counts as absent, and nothing touches its file.
    var isChanging = false
    /// One was open here and has not been taken away: where its file is missed, that is not the same as no store.
    var isExpected = false
  }

  private let state = Monitor(State())
  private let path: String
  private let options: StoreOptions
  private let engine: @Sendable (StoreID?) -> PolicyEngine

  /// - Parameter engine: the policy in force for a store; nil: for one that is not known yet.
  init(path: String, options: StoreOptions, engine: @escaping @Sendable (StoreID?) -> PolicyEngine) {
    self.path = path
    self.options = options
    self.engine = engine
  }

  /// Lends the store to `body`.
  ///
  /// - Throws: why it can't be opened; what `body` throws.
  func withStore<R: ~Copyable>(_ body: (CredentialStore) throws(StoreError) -> R) throws(StoreError) -> R {
    let store = try state.withLock { (state: inout State) throws(StoreError) -> CredentialStore in
      let store = try open(&state)
      state.users += 1
      return store
    }
    defer { state.broadcast { $0.users -= 1 } }
    return try body(store)
  }

  /// Lends the store to `body` where it is open; opens nothing.
  func withOpenStore(_ body: (CredentialStore) -> Void) {
    let store = state.withLock { (state: inout State) -> CredentialStore? in
      if state.store != nil { state.users += 1 }
      return state.store
    }
    guard let store else { return }
    defer { state.broadcast { $0.users -= 1 } }
    body(store)
  }

  /// Whether the store is there and not locked. Opens nothing.
  var isOpen: Bool {
    var isOpen = false
    withOpenStore { isOpen = $0.condition != .locked }
    return isOpen
  }

  /// Waits until nobody uses the store, at most for `limit`.
  func waitForUsers(within limit: Duration) {
    let _: Void? = state.wait(within: limit) { $0.users == 0 ? () : nil }
  }

  var situation: StoreSituation {
    do throws(StoreError) {
      let store = try state.withLock { (state: inout State) throws(StoreError) in try open(&state) }
      return StoreSituation(store.condition)
    } catch {
      return error == .noStore ? .absent : .unusable(error)
    }
  }

  private func open(_ state: inout State) throws(StoreError) -> CredentialStore {
    if let store = state.store { return store }
    if state.isChanging { throw .noStore }
    let store: CredentialStore
    do throws(StoreError) { store = try CredentialStore.open(at: path, engine: engine(nil), options: options) } catch {
      throw error == .noStore && state.isExpected ? .storage(.missing) : error
    }
    store.update(engine: engine(store.id))
    state.store = store
    state.isExpected = true
    return store
  }

  // MARK: - Making and taking away

  /// Makes the store.
  ///
  /// Waits for whoever makes or resets one at the moment.
  ///
  /// - Throws: `storeExists`; why it can't be opened, where something is there.
  func create(_ make: () throws(StoreError) -> CredentialStore) throws(StoreError) {
    try state.wait { (state: inout State) throws(StoreError) -> Void? in
      if state.isChanging { return nil }
      do throws(StoreError) { _ = try open(&state) } catch {
        guard error == .noStore else { throw error }
        state.isChanging = true
        return ()
      }
      throw .storeExists
    }
    var made: CredentialStore?
    defer {
      state.broadcast { state in
        state.store = made
        state.isExpected = made != nil
        state.isChanging = false
      }
    }
    made = try make()
  }

  /// Closes the store, when all who use it have finished, and has `body` do something with its file.
  ///
  /// - Throws: `busy` while somebody else makes or resets one; what `body` throws: the store is opened again when it is asked for.
  func takeAway<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    try closed { () throws(StoreError) in
      let result = try body()
      state.withLock { $0.isExpected = false }
      return result
    }
  }

  /// Closes the store; it is opened again when it is asked for.
  func close() {
    _ = try? closed { () throws(StoreError) in () }
  }

  private func closed<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    var store = try state.withLock { (state: inout State) throws(StoreError) -> CredentialStore? in
      if state.isChanging { throw .busy }
      state.isChanging = true
      return state.store.take()
    }
    defer { state.broadcast { $0.isChanging = false } }
    state.wait { (state: inout State) -> Void? in state.users == 0 ? () : nil }
    // What it can't tidy up now is tidied up when it is opened again.
    try? store?.close()
    // The last reference: the file and its lock are free from here on.
    store = nil
    return try body()
  }
}
