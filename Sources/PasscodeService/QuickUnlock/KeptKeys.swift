internal import PasscodeCore
internal import PasscodePlatform

/// For which stores the OS keyring may hold a key: noted before one is stored, and until it is known to be removed. Survives the
/// daemon, so that a key that was left behind is removed one day, and a keyring that was never used is never called.
///
/// A small file outside of the stores, a line for each: `kept` or `left`, and the store's id. What is `left` nobody wants any more.
/// Losing it loses no more than that knowledge.
final class KeptKeys: Sendable {
  private enum Fate: String {
    case kept, left
  }

  private static let maximumCount = 256
  private let path: String
  private let file = Monitor(())

  init(path: String) { self.path = path }

  /// Whether the keyring may hold a key of the store.
  func isKept(_ store: StoreID) -> Bool { file.withLock { _ in read().contains { $0.store == store } } }

  /// The stores whose keys nobody wants any more.
  var left: [StoreID] { file.withLock { _ in read().filter { $0.fate == .left }.map(\.store) } }

  /// A key is about to be stored.
  func noteKept(_ store: StoreID) { note(store, .kept) }

  /// A key could not be removed.
  func noteLeft(_ store: StoreID) { if isKept(store) { note(store, .left) } }

  /// None is there any more.
  func noteRemoved(_ store: StoreID) { note(store, nil) }

  private func note(_ store: StoreID, _ fate: Fate?) {
    file.withLock { _ in
      let before = read()
      var lines = before.filter { $0.store != store }
      if let fate { lines.append((fate, store)) }
      guard lines.count != before.count || !lines.allSatisfy({ line in before.contains { $0 == line } }) else { return }
      let text = lines.suffix(Self.maximumCount).map { "\($0.fate.rawValue) \($0.store)\n" }.joined()
      // What can't be noted is not known later: no reason to refuse what was asked for.
      try? AtomicFile.write(text.utf8Span.span, to: path)
    }
  }

  private func read() -> [(fate: Fate, store: StoreID)] {
    guard let bytes = try? Files.read(path, limit: 64 * Self.maximumCount) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let fate = Fate(rawValue: String(words[0])), let store = StoreID(hex: String(words[1])) else {
        return nil
      }
      return (fate, store)
    }
  }
}

/// Quick unlock's way in, which notes what the keyring may hold.
struct NotedMethod: QuickUnlockMethod {
  let method: any QuickUnlockMethod
  let keys: KeptKeys

  var kind: SlotKind { method.kind }

  func probe() throws(UnlockMethodFault) { try method.probe() }

  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    // Where the keyring is out of reach nothing can be left in it.
    if !keys.isKept(store) { try method.probe() }
    // Before the key: who is killed in the middle leaves one behind.
    keys.noteKept(store)
    return try method.enroll(for: store, generation: generation)
  }

  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try method.recall(for: store, generation: generation)
  }

  func withdraw(from store: StoreID) throws(UnlockMethodFault) {
    do { try method.withdraw(from: store) } catch {
      keys.noteLeft(store)
      throw error
    }
    keys.noteRemoved(store)
  }
}
