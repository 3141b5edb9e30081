internal import PasscodeCore

/// An unlocked store: its keys and the one who commits with them.
final class Session: Sendable {
  let keys: StoreKeys
  let committer: Committer

  init(_ keys: StoreKeys, state: StoreState, storage: any CredentialStorage) {
    self.keys = keys
    committer = Committer(state, keys: keys, storage: storage)
  }
}
