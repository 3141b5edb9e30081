internal import PasscodeCore
internal import SecretMemory

/// Looks at one row after the other.
struct RowInspector: Sendable {
  private let storage: any CredentialStorage
  /// How many more rows may be looked for among all others, so that a damaged store does not keep it busy for hours.
  private var scansLeft = 4096

  init(_ storage: any CredentialStorage) { self.storage = storage }

  /// Opens a value and checks everything about it; nil where it has gone meanwhile.
  ///
  /// - Throws: `storage`, `busy`, `secretMemory`, `replaced`.
  mutating func inspect(_ place: RowPlace, _ table: RowTable, _ session: Session) throws(StoreError) -> InspectedValue? {
    let first = try look(at: place, table, session)
    switch consume first {
    case .none: return nil
    case .some(let value):
      // Somebody may have changed it between two reads.
      if value.harm == nil || session.damage != nil { return value }
    }
    return try look(at: place, table, session)
  }

  private mutating func look(at place: RowPlace, _ table: RowTable, _ session: Session) throws(StoreError) -> InspectedValue? {
    var value = InspectedValue(isCurrent: table == .record, version: place.revision)
    guard try open(place, table, session.keys, into: &value) else { return nil }
    value.harm = table == .record ? try harm(to: value, at: place, session.keys) : Self.harm(to: value)
    if let harm = value.harm {
      if table == .record, harm == .unreadable || harm == .secretUnreadable {
        try lookBack(from: place, session.keys, for: &value)
      }
      try name(&value, place, session.keys)
    }
    return value
  }

  private enum Reach { case read, gone, unreadable }

  /// - Returns: false where there is no such row; one that can't be read in any way is there, and empty.
  private mutating func open(
    _ place: RowPlace, _ table: RowTable, _ keys: StoreKeys, into value: inout InspectedValue
  ) throws(StoreError) -> Bool {
    for leavesSecretOut in [false, true] {
      for scans in [false, true] {
        if scans {
          guard scansLeft > 0 else { continue }
          scansLeft -= 1
        }
        switch try read(place, table, RowReading(leavesSecretOut: leavesSecretOut, scans: scans), keys, into: &value) {
        case .read: return true
        // A seek that finds nothing may have met rows in disorder.
        case .gone:
          if scans { return false }
          value.isOutOfReach = true
        case .unreadable: break
        }
      }
    }
    return true
  }

  private func read(
    _ place: RowPlace, _ table: RowTable, _ reading: RowReading, _ keys: StoreKeys, into value: inout InspectedValue
  ) throws(StoreError) -> Reach {
    var isFound = false
    var head: RecordHead?
    var metadata: CredentialMetadata?
    var secret: SecretBytes?
    let isReadable = try RowCensus.isReadable { () throws(StoreError) in
      isFound = try storage.withRow(at: place, in: table, reading) { view throws(StoreError) in
        head = view.head
        metadata = try Self.unlessDamaged { () throws(StoreError) in try keys.openMetadata(view) }
        if reading.leavesSecretOut { return }
        secret = try Self.unlessDamaged { () throws(StoreError) in
          try keys.open(view.secret, tag: view.secretTag, part: .secret, of: view.id, revision: view.secretRevision)
        }
      }
    }
    guard isReadable else { return .unreadable }
    guard isFound else { return .gone }
    if let head { value.version = head.secret.revision }
    value.head = head
    value.metadata = metadata
    value.secret = secret
    return .read
  }

  private static func unlessDamaged<R: ~Copyable>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R? {
    do { return try body() } catch {
      guard error.isOfDamage else { throw error }
      return nil
    }
  }

  // MARK: - What is wrong

  private static func harm(to value: borrowing InspectedValue) -> Harm? {
    if value.metadata == nil { return .unreadable }
    return value.secret == nil ? .secretUnreadable : nil
  }

  /// What is wrong with a credential's own value.
  private mutating func harm(to value: borrowing InspectedValue, at place: RowPlace, _ keys: StoreKeys) throws(StoreError)
    -> Harm?
  {
    if let harm = Self.harm(to: value) { return harm }
    guard let head = value.head else { return .unreadable }
    switch value.metadata {
    case .none: return .unreadable
    case .some(let metadata):
      let ownTag = keys.tag(ofName: metadata.name)
      if ownTag != place.tag { return try hasIntact(ownTag, keys) ? .stray : .misplaced }
      if value.isOutOfReach { return .misplaced }
      var versions: [VersionHead] = []
      _ = try RowCensus.isReadable { () throws(StoreError) in versions = try storage.versions(of: place.tag) }
      let isEarlier = versions.contains { version in
        version.id == head.id
          && (version.secret.revision == head.secret.revision || version.metadata.revision == head.metadata.revision)
      }
      if isEarlier { return .replayed }
      let folders = keys.tags(ofFoldersOf: metadata.name)
      let attributes = keys.tags(ofAttributesOf: metadata)
      guard head.folders == folders, head.attributes == attributes else { return .unlisted }
      let isListed = try isListed(place.tag, folders, attributes)
      return isListed ? nil : .unlisted
    }
  }

  private mutating func hasIntact(_ tag: LookupTag, _ keys: StoreKeys) throws(StoreError) -> Bool {
    var record = InspectedValue(isCurrent: true, version: 0)
    let isThere = try open(RowPlace(tag), .record, keys, into: &record)
    return isThere && Self.harm(to: record) == nil
  }

  private func isListed(_ tag: LookupTag, _ folders: [LookupTag], _ attributes: [LookupTag]) throws(StoreError) -> Bool {
    var isListed = true
    let isReadable = try RowCensus.isReadable { () throws(StoreError) in
      for folder in folders where isListed { isListed = try storage.hasLookup(folder, .folder, of: tag) }
      for attribute in attributes where isListed { isListed = try storage.hasLookup(attribute, .attribute, of: tag) }
    }
    return isReadable && isListed
  }

  // MARK: - What helps

  /// Looks for the latest earlier value that is intact; it may tell the name as well.
  private mutating func lookBack(from place: RowPlace, _ keys: StoreKeys, for value: inout InspectedValue) throws(StoreError) {
    var heads: [VersionHead] = []
    _ = try RowCensus.isReadable { () throws(StoreError) in heads = try storage.versions(of: place.tag) }
    for head in heads.reversed() where value.head.map({ $0.id == head.id }) ?? true {
      var earlier = InspectedValue(isCurrent: false, version: head.secret.revision)
      guard try open(RowPlace(place.tag, head.secret.revision), .version, keys, into: &earlier) else { continue }
      guard Self.harm(to: earlier) == nil else { continue }
      value.intactVersion = head.secret.revision
      if value.metadata == nil { value.name = try Self.name(of: earlier, ifTagged: place.tag, keys) }
      return
    }
  }

  /// Finds out what to call it: by its own metadata, else, of an earlier value, by the credential's.
  private mutating func name(_ value: inout InspectedValue, _ place: RowPlace, _ keys: StoreKeys) throws(StoreError) {
    if value.name != nil { return }
    value.name = try Self.name(of: value, ifTagged: nil, keys)
    if value.name != nil || value.isCurrent { return }
    var record = InspectedValue(isCurrent: true, version: 0)
    guard try open(RowPlace(place.tag), .record, keys, into: &record) else { return }
    value.name = try Self.name(of: record, ifTagged: place.tag, keys)
  }

  /// - Parameter tag: the name has to belong to it; nil: any name.
  private static func name(
    of value: borrowing InspectedValue, ifTagged tag: LookupTag?, _ keys: StoreKeys
  ) throws(StoreError) -> SecretBytes? {
    switch value.metadata {
    case .none: return nil
    case .some(let metadata):
      if let tag, keys.tag(ofName: metadata.name) != tag { return nil }
      do { return try SecretBytes(copying: metadata.name) } catch { throw .secretMemory(error) }
    }
  }
}
