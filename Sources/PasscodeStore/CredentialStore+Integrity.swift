public import PasscodeCore

/// The store as a whole: what was sealed is there, and it is the latest.
extension CredentialStore {
  /// What of the open store is not as it was sealed; nil where all is, and where it is locked.
  public var damage: StoreDamage? {
    (try? vault.withAnySession { (session) throws(StoreError) in session?.damage }).flatMap { $0 }
  }

  /// Begins a session: before anything of the store is used, it is looked at as a whole.
  ///
  /// - Parameter acceptsOlder: an older copy of the file is taken, and goes on as a branch of its own.
  /// - Throws: `olderThanLastSeen`; `storage`.
  /// - Complexity: O(n) in the credentials and earlier values.
  func begin(_ keys: StoreKeys, _ state: StoreState, acceptsOlder: Bool = false) throws(StoreError) -> Session {
    let verdict = anchor?.judge(state, keys) ?? .goesOn
    if verdict == .isOlder, !acceptsOlder { throw .olderThanLastSeen }
    let damage = try survey(keys, state)
    let session = Session(keys, state: state, storage: storage, damage: damage) { [anchor] in anchor?.noteIfDue($0, keys) }
    if verdict != .goesOn {
      try session.committer.apply { (state, _) throws(StoreError) in state.branch = .random() }
    } else {
      anchor?.noteIfDue(state, keys)
    }
    return session
  }

  /// - Throws: `olderThanLastSeen`.
  func requireLatest(_ keys: StoreKeys, _ state: StoreState) throws(StoreError) {
    if anchor?.judge(state, keys) == .isOlder { throw .olderThanLastSeen }
  }

  /// A page that can't be read is damage like any other: what else there is can be.
  func survey(_ keys: StoreKeys, _ state: StoreState) throws(StoreError) -> StoreDamage? {
    var survey = StoreSurvey(keys)
    do { try storage.survey(&survey) } catch {
      guard case .corrupt(let part) = error else { throw error }
      var damage = StoreDamage()
      damage.note(part, .unreadable)
      return damage
    }
    return survey.damage(against: state, history: try storage.historyRow())
  }
}
