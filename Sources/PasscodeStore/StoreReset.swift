public import PasscodeCore
internal import PasscodePlatform

/// The way out of a forgotten passcode, which lets nobody in: the sealed file is set aside for a while, or erased.
///
/// What is set aside lies beside the store as `store.db.aside-DATE-ID-STORE`, sealed as before; it opens with its own passcode once
/// it is back in place.
public enum StoreReset {
  /// How long a store is kept aside, in seconds: 7 days.
  public static let keptSeconds: Int64 = 7 * 86_400

  /// A store that was set aside.
  public struct SetAside: Hashable, Sendable {
    /// Names this act, for ``undo(at:_:)``.
    public var id: String
    /// The store that it is.
    public var storeID: StoreID
    /// When it was set aside, in seconds since 1970.
    public var date: Int64
    /// When it is removed, in seconds since 1970.
    public var expires: Int64 { date + keptSeconds }
    let file: String
  }

  /// Sets the store aside. The store must not be open.
  ///
  /// - Parameters:
  ///   - confirmation: the id of the store that is meant: a wrong one changes nothing.
  ///   - now: the wall clock, in seconds since 1970.
  /// - Throws: `noStore`, `inUse`, `notFound` where the store at `path` is not the one that was confirmed; `storage`.
  public static func setAside(at path: String, confirming confirmation: StoreID, now: Int64) throws(StoreError) -> SetAside {
    let file = try StoreFile(path: path)
    let lock = try prepare(path, confirmation) { (storage) throws(StoreError) in try storage.checkpoint() }
    let id = String(RecordID.random().description.prefix(8))
    let target = "\(file.path).aside-\(now)-\(id)-\(confirmation)"
    try file.rename(to: target)
    _ = consume lock
    return SetAside(id: id, storeID: confirmation, date: now, file: target)
  }

  /// The stores that are set aside, oldest first.
  ///
  /// - Throws: `storage`.
  public static func list(at path: String) throws(StoreError) -> [SetAside] {
    let file = try StoreFile(path: path)
    let prefix = file.name + ".aside-"
    return try file.siblings().compactMap { (name) -> SetAside? in
      guard name.hasPrefix(prefix) else { return nil }
      let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let date = Int64(parts[0]), date < .max - keptSeconds,
        let storeID = StoreID(hex: String(parts[2]))
      else { return nil }
      return SetAside(id: String(parts[1]), storeID: storeID, date: date, file: file.join(name))
    }.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
  }

  /// Puts a store back into its place.
  ///
  /// - Throws: `notFound`; `storeExists` where another one was made meanwhile; `inUse`; `storage`.
  public static func undo(at path: String, _ id: String) throws(StoreError) {
    guard let aside = try list(at: path).first(where: { $0.id == id }) else { throw .notFound }
    let file = try StoreFile(path: path)
    let lock = try file.lock()
    try file.requireNothing()
    try onFiles { () throws(PlatformError) in
      try Files.rename(aside.file, to: file.path, replacing: false)
      try Files.synchronizeDirectory(file.directory)
    }
    _ = consume lock
  }

  /// Removes what was set aside longer ago than ``keptSeconds``. A date in the future is left alone: the clock may be wrong.
  ///
  /// - Throws: `storage`.
  public static func removeExpired(at path: String, now: Int64) throws(StoreError) {
    for aside in try list(at: path) where aside.expires <= now {
      try onFiles { () throws(PlatformError) in try Files.remove(aside.file) }
    }
  }

  /// Erases the store: its slots are overwritten and synced first, so that the file is noise even where unlinking leaves its blocks.
  ///
  /// - Throws: `noStore`, `inUse`, `notFound` where the store is not the one that was confirmed; `storage`.
  public static func erase(at path: String, confirming confirmation: StoreID) throws(StoreError) {
    let file = try StoreFile(path: path)
    let lock = try prepare(path, confirmation) { (storage) throws(StoreError) in
      try storage.destroySlots()
      try storage.checkpoint()
    }
    try file.unlink()
    _ = consume lock
  }

  /// Opens the store, has `body` prepare it, and closes it.
  ///
  /// - Returns: its lock: nobody else opens it before the caller is done with its file.
  private static func prepare(
    _ path: String, _ confirmation: StoreID, _ body: (SQLiteStorage) throws(StoreError) -> Void
  ) throws(StoreError) -> FileDescriptor {
    let storage = try SQLiteStorage(path: path)
    guard storage.header.id == confirmation else { throw .notFound }
    try body(storage)
    return try storage.keepLock()
  }
}
