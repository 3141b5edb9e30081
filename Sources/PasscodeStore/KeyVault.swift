internal import PasscodeCore
internal import PasscodePlatform

/// Holds the session of an unlocked store and counts who uses it, so that `lock` returns only when every key is wiped.
final class KeyVault: Sendable {
  private struct State {
    var session: Session?
    var mustChange: MustChangeReason?
    var users = 0
    var isClosing = false
    var lockCount: UInt64 = 0
    /// Sessions for one act each, beside the open store or while it is locked. They commit nothing.
    var guests: [UInt64: Session] = [:]
    var lastGuest: UInt64 = 0
  }

  private let state = Monitor(State())

  /// How often it was locked so far: what a try notes when it begins, for ``install(_:mustChange:since:)``.
  var lockCount: UInt64 { state.withLock { $0.lockCount } }

  var condition: StoreCondition {
    state.withLock { state in
      guard state.session != nil, !state.isClosing else { return .locked }
      return state.mustChange.map { .mustChange($0) } ?? .unlocked
    }
  }

  /// Runs `body` with the session of a usable store.
  ///
  /// - Throws: `locked`; `mustChange`; what `body` throws.
  func withSession<R>(_ body: (Session) throws(StoreError) -> R) throws(StoreError) -> R {
    try withSession(of: nil, body)
  }

  /// Runs `body` with the session that is there, usable or not; nil where the store is locked. A session that is being let go is
  /// waited for: two must never commit beside each other.
  func withAnySession<R>(_ body: (Session?) throws(StoreError) -> R) throws(StoreError) -> R {
    let session = state.wait { (state: inout State) -> Session?? in
      if state.isClosing { return nil }
      if state.session != nil { state.users += 1 }
      return .some(state.session)
    }
    guard let session else { return try body(nil) }
    defer { leave() }
    return try Self.run(consume session) { (session) throws(StoreError) in try body(session) }
  }

  /// Ends the session's reference before the caller counts itself out: the keys must not outlive ``lock()`` by a moment.
  @inline(never)
  private static func run<R: ~Copyable>(
    _ session: consuming Session, _ body: (Session) throws(StoreError) -> R
  ) throws(StoreError) -> R { try body(session) }

  /// Puts a session in place. Only whoever holds the attempt gate calls this, so that there is never a second one.
  ///
  /// - Parameter lockCount: as it was when the caller began. Whoever has locked since then finds the store locked, and not opened
  ///   again by what began before.
  /// - Returns: false where it was locked since.
  func install(_ session: Session, mustChange: MustChangeReason?, since lockCount: UInt64) -> Bool {
    state.withLock { state in
      guard state.lockCount == lockCount else { return false }
      state.session = session
      state.mustChange = mustChange
      return true
    }
  }

  /// Keeps a session for one act, until it is dismissed or the store is locked.
  ///
  /// - Throws: `locked` where it was locked since.
  func admit(_ session: Session, since lockCount: UInt64) throws(StoreError) -> UInt64 {
    try state.withLock { (state: inout State) throws(StoreError) in
      guard state.lockCount == lockCount, !state.isClosing else { throw .locked }
      state.lastGuest += 1
      state.guests[state.lastGuest] = session
      return state.lastGuest
    }
  }

  /// Ends what ``admit(_:since:)`` began.
  func dismiss(_ guest: UInt64) { state.withLock { $0.guests[guest] = nil } }

  /// Runs `body` with a guest's session; with that of the open store for nil.
  ///
  /// - Throws: `locked`; `mustChange`; what `body` throws.
  func withSession<R: ~Copyable>(
    of guest: UInt64?, _ body: (Session) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let session = try state.withLock { (state: inout State) throws(StoreError) -> Session in
      guard let session = guest.map({ state.guests[$0] }) ?? state.session, !state.isClosing else { throw .locked }
      if guest == nil, let reason = state.mustChange { throw .mustChange(reason) }
      state.users += 1
      return session
    }
    defer { leave() }
    return try Self.run(consume session, body)
  }

  /// Refuses new users, waits for those that are in, and lets the session go: its keys are wiped when this returns.
  ///
  /// - Parameter farewell: gets the session when nobody uses it any more; must not wait for anything.
  func lock(_ farewell: (Session) -> Void = { _ in }) {
    state.withLock { state in
      state.isClosing = true
      state.lockCount += 1
    }
    state.wait { (state: inout State) -> Void? in
      guard state.users == 0 else { return nil }
      if let session = state.session { farewell(session) }
      state.session = nil
      state.guests = [:]
      state.mustChange = nil
      state.isClosing = false
      return ()
    }
    state.broadcast { _ in }
  }

  private func leave() {
    state.broadcast { $0.users -= 1 }
  }
}
