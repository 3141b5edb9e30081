public import SecretMemory

/// How a log's end is known to be its end.
public enum ConsentAnchor: Sendable {
  /// By the head, signed with the store's key.
  case head(ConsentHead?, key: Ed25519.PublicKey)
  /// Not at all: it is the journal from before the store, which anybody could have cut or written anew.
  case journal
  /// Not yet: it lies in a store that has not been unlocked since.
  case unsigned
}

/// What is wrong with a log. The first fault is told; after it nothing can be said.
public enum ConsentLogFault: Error, Hashable, Sendable {
  /// The entry at this place, from 1, is not one.
  case unreadable(Int)
  /// The entry at this place has another number: entries were dropped or swapped.
  case outOfPlace(Int)
  /// The entry at this place does not follow the one before: one of the two was changed.
  case brokenChain(Int)
  /// The entry at this place says that it is from before the store, but stands behind one that is not; or it stands in the
  /// journal and says something else.
  case misplacedMark(Int)
  /// What the entry at this place names by digest is not there, or was changed.
  case attachment(Int)
  /// There is no head.
  case headMissing
  /// The head is not signed with the store's key.
  case headForged
  /// The log ends elsewhere than its head says: it was cut off, or something was added that was not recorded while the store
  /// was locked.
  case cutOff(head: Int, found: Int)
  /// The last entry that the head covers is another than the one that it names.
  case lastAltered
}

extension ConsentLogFault: CustomStringConvertible {
  /// The fault in plain words, lower case and without a full stop.
  public var description: String {
    switch self {
    case .unreadable(let place): "entry \(place) can't be read"
    case .outOfPlace(let place): "entry \(place) stands out of its place: entries were dropped or swapped"
    case .brokenChain(let place): "entry \(place) does not follow the one before: one of the two was changed"
    case .misplacedMark(let place): "entry \(place) is wrong about when it was recorded"
    case .attachment(let place): "a text or picture of entry \(place) is missing or was changed"
    case .headMissing: "the log has no head"
    case .headForged: "the log's head is not signed by this store"
    case .cutOff(let head, let found): "the log has \(found) entries, its head says \(head)"
    case .lastAltered: "the last entry is not the one that the head names"
    }
  }
}

extension ConsentLog {
  /// Checks the whole log.
  ///
  /// Found is every entry under the head that was changed, dropped, swapped or cut off by somebody without the store's key, and
  /// every entry behind it that was changed without those after it or that was not recorded while the store was locked. Not found
  /// is an entry from while the store was locked that was dropped from the end, or added, before the next unlock: nothing
  /// protects those yet. Nor a log that was put back together with its older head (the store's own state knows that), or
  /// written anew by somebody who has the key: against them stands only a receipt that was deposited elsewhere.
  ///
  /// - Throws: the first fault.
  /// - Complexity: O(*n*) in the size of the log.
  public func verify(_ anchor: ConsentAnchor) throws(ConsentLogFault) -> VerifiedConsentLog {
    if case .head(let head, let key) = anchor {
      guard let head else { throw .headMissing }
      if head.tip.log != id || !head.isSigned(by: key) { throw .headForged }
    }
    let checked = try checkedEntries(after: 0, previous: ConsentEntry.mark(of: id))
    var signedCount = 0
    if case .head(let head?, _) = anchor {
      signedCount = head.tip.count
      guard 0...entries.count ~= signedCount else { throw .cutOff(head: signedCount, found: entries.count) }
      if tip(after: signedCount) != head.tip { throw .lastAltered }
    }
    if let fault = ConsentRecording.fault(in: checked.map(\.recording), anchor) { throw fault }
    return VerifiedConsentLog(entries: checked, signedCount: signedCount, tip: tip)
  }

  /// The entries behind the first `count`, each checked.
  func checkedEntries(after count: Int, previous: Digest) throws(ConsentLogFault) -> [ConsentEntry] {
    var checked: [ConsentEntry] = []
    var known: Set<Digest> = []
    var previous = previous
    for (index, bytes) in entries[count...].enumerated() {
      let place = count + index + 1
      guard let entry = ConsentEntry(bytes) else { throw .unreadable(place) }
      if entry.sequence != place { throw .outOfPlace(place) }
      if entry.previous != previous { throw .brokenChain(place) }
      for digest in entry.fact.attachments where !known.contains(digest) {
        guard let bytes = attachments[digest], SHA256.digest(bytes.span) == digest else { throw .attachment(place) }
        known.insert(digest)
      }
      checked.append(entry)
      previous = ConsentEntry.digest(of: bytes)
    }
    return checked
  }
}

extension ConsentRecording {
  /// What is wrong with the marks of a log's entries: those from before the store stand first, a journal has no others, and
  /// behind what the head covers stand only those from while the store was locked.
  static func fault(in marks: [ConsentRecording], _ anchor: ConsentAnchor) -> ConsentLogFault? {
    let first = marks.firstIndex { $0 != .beforeStore } ?? marks.count
    switch anchor {
    case .journal: return first < marks.count ? .misplacedMark(first + 1) : nil
    case .unsigned: return marks[first...].firstIndex { $0 != .whileLocked }.map { .misplacedMark($0 + 1) }
    case .head(let head, _):
      if let late = marks[first...].firstIndex(of: .beforeStore) { return .misplacedMark(late + 1) }
      let covered = head?.tip.count ?? 0
      let isTailLocked = marks.dropFirst(covered).allSatisfy { $0 == .whileLocked }
      return isTailLocked ? nil : .cutOff(head: covered, found: marks.count)
    }
  }
}
