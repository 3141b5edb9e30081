internal import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// What was last seen of a store at its path, kept outside of it: so an older copy that was put in its place is noticed.
///
/// It finds swapped backups and sync conflicts. It does not hold against whoever can write to it: without it nothing is older. It is
/// written at unlock and at lock, and at most once a minute between; a copy of less than a minute before a crash passes.
///
/// Layout: `layout 1 ‖ store id 16 ‖ branch 16 ‖ generation 8 ‖ MAC 32`, keyed with the state key. Layout 2 alone, one byte: what is
/// there is taken as it is, and begins a new branch.
final class RollbackAnchor: Sendable {
  enum Verdict {
    /// It goes on where it was left, or nothing was seen before.
    case goesOn
    /// It was put there by an explicit act, and begins a branch of its own.
    case isNewBranch
    case isOlder
  }

  private static let layout: UInt8 = 1
  private static let newBranchLayout: UInt8 = 2
  private static let byteCount = 73
  /// Between two notes while the store is in use, in nanoseconds.
  private static let interval: UInt64 = 60_000_000_000

  private let file: String
  private let store: StoreID
  private let clock: any StoreClock
  private let lastNote = Monitor<UInt64?>(nil)

  init(in directory: String, for path: String, _ store: StoreID, _ clock: any StoreClock) {
    file = Self.file(in: directory, for: path, store)
    self.store = store
    self.clock = clock
  }

  /// A copy of a store in another place is not the same store put back: each place has its own.
  private static func file(in directory: String, for path: String, _ store: StoreID) -> String {
    let place = store.bytes + Array(((try? StoreFile(path: path))?.path ?? path).utf8)
    let digest = BLAKE2b.unkeyed(place.span)
    return directory + "/anchor-" + RecordID(unchecked: Array(digest.bytes.prefix(16))).description
  }

  /// Has the next unlock take the file at `path` as it is.
  ///
  /// - Throws: `storage`.
  static func expectNewBranch(in directory: String, for path: String, _ store: StoreID) throws(StoreError) {
    let row = [newBranchLayout]
    try onFiles { () throws(PlatformError) in try AtomicFile.write(row.span, to: file(in: directory, for: path, store)) }
  }

  /// How a store's state stands to what was last seen. What can't be read, or is not of this store, is as if it had never been seen.
  func judge(_ state: StoreState, _ keys: StoreKeys) -> Verdict {
    guard let row = try? Files.readRegular(file, limit: Self.byteCount) else { return .goesOn }
    if row == [Self.newBranchLayout] { return .isNewBranch }
    var reader = ByteReader(row.span)
    guard row.count == Self.byteCount, reader.integer(UInt8.self) == Self.layout, reader.raw(16) == store.bytes,
      let branch = BranchID(reader.raw(16)), let generation = reader.integer(UInt64.self),
      self.row(branch, generation, keys) == row
    else { return .goesOn }
    return branch == state.branch && generation <= state.generation ? .goesOn : .isOlder
  }

  /// Notes a state that is on the disk, where the last note is long enough ago.
  func noteIfDue(_ state: StoreState, _ keys: StoreKeys) {
    let now = clock.now().sinceBoot
    let isDue = lastNote.withLock { (last: inout UInt64?) -> Bool in
      if let last, now >= last, now - last < Self.interval { return false }
      last = now
      return true
    }
    if isDue { write(row(state, keys)) }
  }

  func row(_ state: StoreState, _ keys: StoreKeys) -> [UInt8] { row(state.branch, state.generation, keys) }

  /// Where the disk says no, an older copy may pass: no reason to keep anybody out.
  func write(_ row: [UInt8]) { try? AtomicFile.write(row.span, to: file) }

  private func row(_ branch: BranchID, _ generation: UInt64, _ keys: StoreKeys) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.layout)
    writer.raw(store.bytes)
    writer.raw(branch.bytes)
    writer.integer(generation)
    let mac = BLAKE2b.keyed(label: "passcoded/v1/anchor", writer.bytes.span, Span(), using: keys.state)
    return writer.bytes + mac.bytes
  }
}
