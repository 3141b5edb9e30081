public import PasscodeCore
internal import SecretMemory

/// A walk through every value of a store, row by row, that no damage ends.
///
/// Between two rows it holds nothing of the store: it can be locked, and then the next row throws `locked`.
public struct StoreInspection: ~Copyable, Sendable {
  /// Not the store itself: whoever takes that away does not wait for a walk.
  private let vault: KeyVault
  /// The vault's number for keys of its own; nil: those of the open store.
  private let guest: UInt64?
  private let records: [RowPlace]
  private let versions: [RowPlace]
  private var index = 0
  private var inspector: RowInspector
  /// What was found so far; complete once ``next(of:)`` has given nil.
  public private(set) var tally = InspectionTally()
  /// What was found to be wrong with the store as a whole when it was opened.
  public let damage: StoreDamage?

  init(_ store: CredentialStore, guest: UInt64?, includesVersions: Bool) throws(StoreError) {
    vault = store.vault
    self.guest = guest
    inspector = RowInspector(store.storage)
    do throws(StoreError) {
      let storage = store.storage
      let (damage, records, versions) = try store.vault.withSession(of: guest) { (session) throws(StoreError) in
        let records = try RowCensus(of: .record, in: storage)
        return (session.damage, records, includesVersions ? try RowCensus(of: .version, in: storage) : nil)
      }
      self.damage = damage
      self.records = records.places
      self.versions = versions?.places ?? []
      tally.gaps = records.gaps + (versions?.gaps ?? 0)
    } catch {
      if let guest { store.vault.dismiss(guest) }
      throw error
    }
  }

  deinit { if let guest { vault.dismiss(guest) } }

  /// The next value: all credentials first, then the earlier values; in no order that means anything. Nil at the end.
  ///
  /// - Parameter store: the one that it began with.
  /// - Throws: `locked`, also for another store; `mustChange`; `storage`, `busy`, `secretMemory`, `replaced`. Not for what is
  ///   damaged: that is told.
  public mutating func next(of store: CredentialStore) throws(StoreError) -> InspectedValue? {
    guard store.vault === vault else { throw .locked }
    while index < records.count + versions.count {
      let isCurrent = index < records.count
      let place = isCurrent ? records[index] : versions[index - records.count]
      index += 1
      let value = try vault.withSession(of: guest) { (session) throws(StoreError) in
        try inspector.inspect(place, isCurrent ? .record : .version, session)
      }
      switch consume value {
      case .some(let found):
        tally.count(found)
        return found
      case .none: continue
      }
    }
    return nil
  }
}

extension CredentialStore {
  /// Begins a look at every credential and every earlier value of the open store.
  ///
  /// - Throws: `locked`, `mustChange`; `storage`, `busy`, `secretMemory`, `replaced`.
  /// - Complexity: O(n); the places of all values are in memory, 24 bytes each, until it ends.
  public func inspection() throws(StoreError) -> StoreInspection {
    try StoreInspection(self, guest: nil, includesVersions: true)
  }

  /// Begins to take every credential out. The store need not be open, and is not opened for anybody else.
  ///
  /// - Parameter proof: taking everything out takes the passcode in the same call.
  /// - Throws: as ``inspection()``, but for `mustChange`; `locked` where the store was locked since.
  public func export(_ proof: borrowing PasscodeProof) throws(StoreError) -> StoreInspection {
    let keys = try keys(proof.storeKey)
    let lockCount = vault.lockCount
    let session = try vault.withAnySession { (session) throws(StoreError) in
      if let session { return session }
      let state = try state(proof.storeKey)
      return Session(keys, state: state, storage: storage, damage: try survey(keys, state))
    }
    let guest = try vault.admit(session, since: lockCount)
    return try StoreInspection(self, guest: guest, includesVersions: false)
  }
}
