internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods that tell of many credentials, in the byte order of their names.
extension Session {
  /// Lends a page of a selection to a body.
  private typealias Page = (
    CredentialStore, LookupTag?, (borrowing CredentialMetadata, Int64) throws(StoreError) -> Void
  ) throws(StoreError) -> LookupTag?

  /// How many credentials are asked of the store at a time: while they are lent it can't be locked.
  private static var batchCount: Int { 64 }
  /// A page of a reply ends behind the credential that makes it this long, in bytes.
  private static var pageByteCount: Int { 16 << 10 }

  func list(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    // Copied: a closure that is called later can't hold on to the message.
    let folder = fields.stringIfPresent(.folder) ?? ""
    try tell(&replies) { (store, start, body) throws(StoreError) in
      try store.list(folder: folder.utf8Span.span, after: start, limit: Self.batchCount, body)
    }
  }

  func find(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let pairs = try pairs(.attributes, of: fields)
    if pairs.isEmpty { throw .invalidMetadata(.noPairs) }
    try tell(&replies) { (store, start, body) throws(StoreError) in
      try store.find(pairs, after: start, limit: Self.batchCount, body)
    }
  }

  private func tell(_ replies: inout Replies, _ page: Page) throws(WireError) {
    var place: Places.Place?
    var cursor: SecretBytes?
    var isLast = false
    repeat {
      var names = try newNames()
      try collect(into: &names, after: cursor, &place, page)
      if !replies.wantsMore, names.isPartial || names.count > WireLimits.maximumUnpagedCount { throw .expectedMore }
      if !replies.wantsMore, names.count > Self.batchCount { try takePlace(&place) }
      names.sort()
      isLast = !names.isPartial
      guard try tell(names, isLast: isLast, &replies) else { return }
      if !isLast { cursor = try copy(names[names.count - 1]) }
    } while !isLast
    _ = replies.send()
    place = nil
  }

  // MARK: - Collecting

  /// Collects the names of a selection that come after `cursor`, as many as there is memory for.
  private func collect(
    into names: inout SortedNames, after cursor: borrowing SecretBytes?, _ place: inout Places.Place?, _ page: Page
  ) throws(WireError) {
    var start: LookupTag?
    repeat {
      let before = names.count
      var isFull = false
      let next = try withStore { store throws(StoreError) in
        names.rollBack(to: before)
        isFull = false
        return try page(store, start) { (metadata, _) throws(StoreError) in
          if isFull || Self.isToldAlready(metadata.name, cursor) { return }
          isFull = !names.add(metadata.name)
        }
      }
      if isFull {
        names.rollBack(to: before)
        try makeRoom(&names, &place)
      } else {
        start = next
        if next == nil { return }
      }
    } while true
  }

  private func makeRoom(_ names: inout SortedNames, _ place: inout Places.Place?) throws(WireError) {
    if names.capacity >= SortedNames.smallByteCount { try takePlace(&place) }
    try relieving { () throws(SecretMemoryError) in
      if names.capacity < SortedNames.maximumByteCount { try names.grow() } else { try names.makeRoom() }
    }
  }

  private func takePlace(_ place: inout Places.Place?) throws(WireError) {
    if place != nil { return }
    place = service.largeMessages.take(for: connection)
    if place == nil { throw .busy }
  }

  private static func isToldAlready(_ name: Span<UInt8>, _ cursor: borrowing SecretBytes?) -> Bool {
    switch cursor {
    case .some(let cursor): !SortedNames.precedes(cursor.bytes, name)
    case .none: false
    }
  }

  private func newNames() throws(WireError) -> SortedNames {
    try relieving { () throws(SecretMemoryError) in try SortedNames() }
  }

  private func copy(_ name: Span<UInt8>) throws(WireError) -> SecretBytes {
    try relieving { () throws(SecretMemoryError) in try SecretBytes(copying: name) }
  }

  // MARK: - Telling

  /// Tells the credentials of these names, page by page where the call wants that.
  ///
  /// - Returns: false where the client is gone.
  private func tell(
    _ names: borrowing SortedNames, isLast: Bool, _ replies: inout Replies
  ) throws(WireError) -> Bool {
    var index = 0
    repeat {
      let limit = replies.wantsMore ? Self.pageByteCount : WireLimits.maximumMessageByteCount / 2
      let wantsMore = replies.wantsMore
      let isTaken = try replies.stream { (reply) throws(WireError) in
        index = try page(of: names, from: index, into: &reply, limit: limit)
        if !wantsMore, index < names.count { throw .expectedMore }
        return isLast && index == names.count
      }
      guard isTaken else { return false }
    } while index < names.count
    return true
  }

  private func page(
    of names: borrowing SortedNames, from start: Int, into reply: inout MessageWriter, limit: Int
  ) throws(WireError) -> Int {
    var index = start
    var failure: WireError?
    reply.array(.credentials) { reply in
      while index < names.count, failure == nil, reply.messageByteCount < limit {
        failure = tell(names[index], into: &reply)
        index += 1
      }
    }
    if let failure { throw failure }
    return index
  }

  /// Tells one credential, unless it has gone since its name was collected.
  private func tell(_ name: Span<UInt8>, into reply: inout MessageWriter) -> WireError? {
    do throws(StoreError) {
      try service.withStoreAndMemory { store throws(StoreError) in
        try store.show(name) { (metadata, version) throws(StoreError) in
          reply.element { $0.credential(metadata, version: version) }
        }
      }
      return nil
    } catch {
      return error == .notFound ? nil : service.translate(error)
    }
  }
}
