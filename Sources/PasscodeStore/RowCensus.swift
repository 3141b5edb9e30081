internal import PasscodeCore

/// Where every row of a table lies, as far as it can be read.
///
/// Behind a page that can't be read the walk goes on at the next of 65,536 even parts of the tags' range, and from there back to the
/// page: so only what is in the page is lost, and no damage keeps it busy without end.
struct RowCensus {
  private(set) var places: [RowPlace] = []
  /// How many stretches of the table can't be read.
  private(set) var gaps = 0
  /// Filled at the first gap: from there on rows may come twice.
  private var known: Set<RowPlace>?
  /// More rows than this are not told again: pages that lead in circles end here.
  private static let repetitions = 1 << 20

  /// - Throws: `storage`, `busy`, `secretMemory`, `replaced`; not for what is damaged.
  init(of table: RowTable, in storage: any CredentialStorage) throws(StoreError) {
    var start: RowPlace?
    var isInGap = false
    var repeated = 0
    while true {
      let before = places.count
      let isWhole = try Self.isReadable { () throws(StoreError) in
        try storage.eachPlace(in: table, from: start, backwards: false) { place in
          if !add(place) { repeated += 1 }
          return repeated < Self.repetitions
        }
      }
      if isInGap, isWhole || places.count > before, let start {
        isInGap = false
        try addBackwards(from: start, table, storage)
      }
      guard !isWhole, repeated < Self.repetitions, let next = next(after: start, since: before) else { break }
      if !isInGap { gaps += 1 }
      isInGap = true
      start = next
    }
  }

  /// What lies between a page that can't be read and the part at which the walk went on.
  private mutating func addBackwards(from start: RowPlace, _ table: RowTable, _ storage: any CredentialStorage)
    throws(StoreError)
  {
    _ = try Self.isReadable { () throws(StoreError) in
      try storage.eachPlace(in: table, from: start, backwards: true) { add($0) }
    }
  }

  private mutating func add(_ place: RowPlace) -> Bool {
    if known != nil {
      guard known?.insert(place).inserted == true else { return false }
    }
    places.append(place)
    return true
  }

  /// Where to go on after what could not be read; nil at the end of the range.
  private mutating func next(after start: RowPlace?, since before: Int) -> RowPlace? {
    if known == nil { known = Set(places) }
    // Of the last two: one of them may have lost its place.
    let last = places[before...].suffix(2).map { Self.part(of: $0.tag) }.min() ?? 0
    let part = max(last, start.map { Self.part(of: $0.tag) } ?? 0) + 1
    guard part <= Int(UInt16.max) else { return nil }
    let bytes = [UInt8(part >> 8), UInt8(part & 255)] + [UInt8](repeating: 0, count: LookupTag.byteCount - 2)
    return LookupTag(bytes.span).map { RowPlace($0, .min) }
  }

  private static func part(of tag: LookupTag) -> Int { tag.withBytes { Int($0[0]) << 8 | Int($0[1]) } }

  /// Runs a read.
  ///
  /// - Returns: false where what it reads is damaged.
  static func isReadable(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
    do { try body() } catch {
      guard error.isOfDamage else { throw error }
      return false
    }
    return true
  }
}

extension StoreError {
  /// Whether it says that what was to be read is not as it was written, or that the disk does not give it out.
  var isOfDamage: Bool {
    switch self {
    case .corrupt, .notAStore, .storage(.inputOutput): true
    default: false
    }
  }
}
