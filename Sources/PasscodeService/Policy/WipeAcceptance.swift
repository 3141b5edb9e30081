internal import PasscodeCore
internal import PasscodePlatform

/// Whether the word was typed, when a store was created, that lets the user's own policy wipe it.
///
/// A small file outside of the store holds the store's id. Without it nothing is wiped: losing it errs on the safe side.
struct WipeAcceptance: Sendable {
  private let path: String

  init(path: String) { self.path = path }

  func isGiven(for store: StoreID) -> Bool {
    guard let bytes = try? Files.read(path, limit: 64) else { return false }
    return StoreID(hex: String(decoding: bytes, as: UTF8.self)) == store
  }

  func give(for store: StoreID) throws(PlatformError) {
    try AtomicFile.write(store.description.utf8Span.span, to: path)
  }
}
