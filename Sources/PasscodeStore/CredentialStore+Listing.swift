public import PasscodeCore

extension CredentialStore {
  /// Lends the credentials of a folder and of all folders in it to `body`, a page at a time. O(log n + limit).
  ///
  /// - Parameters:
  ///   - folder: a name, with or without a slash at its end; empty for all.
  ///   - start: where the last page ended; nil for the first.
  ///   - limit: the most credentials of this page, at least 1.
  ///   - body: must not call the store: a row is lent to it.
  /// - Returns: where the next page starts; nil at the end. The order is fixed, but it is not that of the names.
  /// - Throws: `locked`, `mustChange`, `invalidName`, `corrupt`, `secretMemory`; what `body` throws.
  public func list(
    folder: Span<UInt8>, after start: LookupTag? = nil, limit: Int = 256,
    _ body: (borrowing CredentialMetadata, _ version: Int64) throws(StoreError) -> Void
  ) throws(StoreError) -> LookupTag? {
    if let fault = CredentialName.fault(inFolder: folder) { throw .invalidName(fault) }
    let folder = CredentialName.withoutTrailingSlash(folder)
    return try vault.withSession { (session) throws(StoreError) in
      let keys = session.keys
      let selection: RecordSelection = folder.isEmpty ? .all : .inFolder(keys.tag(ofFolder: folder))
      return try storage.eachRecord(in: selection, after: start, limit: max(1, limit)) { view throws(StoreError) in
        let metadata = try keys.openMetadata(view)
        guard folder.isEmpty || Self.isInside(metadata.name, folder) else { throw .corrupt(.record) }
        try body(metadata, view.secretRevision)
      }
    }
  }

  /// Lends the credentials that have every one of the given attributes to `body`, a page at a time.
  ///
  /// The page is cut by the first pair: a page may hold fewer than `limit`, even none, and yet not be the last.
  ///
  /// - Returns, Throws: as ``list(folder:after:limit:_:)``. No pairs at all select everything.
  public func find(
    _ pairs: [AttributePair], after start: LookupTag? = nil, limit: Int = 256,
    _ body: (borrowing CredentialMetadata, _ version: Int64) throws(StoreError) -> Void
  ) throws(StoreError) -> LookupTag? {
    try vault.withSession { (session) throws(StoreError) in
      let keys = session.keys
      let selection: RecordSelection =
        pairs.first.map { .withAttribute(keys.tag(ofAttribute: Array($0.key.utf8).span, Array($0.value.utf8).span)) } ?? .all
      return try storage.eachRecord(in: selection, after: start, limit: max(1, limit)) { view throws(StoreError) in
        let metadata = try keys.openMetadata(view)
        if let first = pairs.first, !Self.has(metadata, first) { throw .corrupt(.record) }
        for pair in pairs where !Self.has(metadata, pair) { return }
        try body(metadata, view.secretRevision)
      }
    }
  }

  private static func isInside(_ name: Span<UInt8>, _ folder: Span<UInt8>) -> Bool {
    name.count > folder.count + 1 && name[folder.count] == UInt8(ascii: "/")
      && spansAreEqual(name.extracting(first: folder.count), folder)
  }

  private static func has(_ metadata: borrowing CredentialMetadata, _ pair: AttributePair) -> Bool {
    let key = Array(pair.key.utf8)
    let value = Array(pair.value.utf8)
    guard let index = metadata.indexOfAttribute(key.span) else { return false }
    return spansAreEqual(metadata.attributeValue(index), value.span)
  }
}
