internal import PasscodeCore

/// An unlocked store: its keys and the one who commits with them.
final class Session: Sendable {
  let keys: StoreKeys
  let committer: Committer
  /// What is not as it was sealed; nothing is written then.
  let damage: StoreDamage?

  init(
    _ keys: StoreKeys, state: StoreState, storage: any CredentialStorage, damage: StoreDamage? = nil,
    noting: @escaping @Sendable (StoreState) -> Void = { _ in }
  ) {
    self.keys = keys
    self.damage = damage
    committer = Committer(state, keys: keys, storage: storage, noting: noting)
  }
}

extension Session {
  /// What to answer where there is no such credential. Where rows are hurt or missing nobody can say that there was none.
  var notFound: StoreError {
    guard let damage, [.record, .version, .file].contains(where: { damage.findings[$0] != nil }) else { return .notFound }
    return .damaged(damage)
  }
}
