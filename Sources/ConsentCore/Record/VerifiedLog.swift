public import SecretMemory

/// How a log's end is known to be its end.
public enum ConsentAnchor: Sendable {
  /// By the head, signed with the store's key.
  case head(ConsentHead?, key: Ed25519.PublicKey)
  /// Not at all: it is the journal from before the store, which anybody could have cut or written anew.
  case journal
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
  /// journal and does not say so.
  case misplacedMark(Int)
  /// What the entry at this place names by digest is not there, or was changed.
  case attachment(Int)
  /// There is no head.
  case headMissing
  /// The head is not signed with the store's key.
  case headForged
  /// The log ends elsewhere than its head says: it was cut off, or something was added.
  case cutOff(head: Int, found: Int)
  /// The last entry is another than the one that the head names.
  case lastAltered
}

extension ConsentLogFault: CustomStringConvertible {
  /// The fault in plain words, lower case and without a full stop.
  public var description: String {
    switch self {
    case .unreadable(let place): "entry \(place) can't be read"
    case .outOfPlace(let place): "entry \(place) stands out of its place: entries were dropped or swapped"
    case .brokenChain(let place): "entry \(place) does not follow the one before: one of the two was changed"
    case .misplacedMark(let place): "entry \(place) is wrong about whether it is from before the store"
    case .attachment(let place): "a text or picture of entry \(place) is missing or was changed"
    case .headMissing: "the log has no head"
    case .headForged: "the log's head is not signed by this store"
    case .cutOff(let head, let found): "the log has \(found) entries, its head says \(head)"
    case .lastAltered: "the last entry is not the one that the head names"
    }
  }
}

/// A log whose every entry was checked: the only thing that a decision is made from.
public struct VerifiedConsentLog: Sendable {
  /// The entries, in order.
  public let entries: [ConsentEntry]
  /// Where it ends.
  public let tip: ConsentTip

  /// The log of somebody who was never asked.
  public static func empty(id: Digest) -> VerifiedConsentLog {
    VerifiedConsentLog(entries: [], tip: ConsentLog(id: id).tip)
  }

  /// What counts where a log has a fault: nothing.
  static let unknown = empty(id: SHA256.digest([UInt8]().span))

  /// The entries of one form, in order.
  public func entries(of form: ConsentFormID) -> [ConsentEntry] { entries.filter { $0.fact.form == form } }

  /// The entries before this one whose instant is later: the clock was set back. No fault: the order is the log's.
  public var clockSetBack: [Int] {
    zip(entries, entries.dropFirst()).filter { $0.fact.at.seconds > $1.fact.at.seconds }.map(\.1.sequence)
  }
}

extension ConsentLog {
  /// Checks the whole log.
  ///
  /// Found is every entry that was changed, dropped, swapped or cut off by somebody without the store's key. Not found is a
  /// log that was put back together with its older head (the store's own state knows that), or written anew by somebody who
  /// has the key: against them stands only a receipt that was deposited elsewhere.
  ///
  /// - Throws: the first fault.
  /// - Complexity: O(*n*) in the size of the log.
  public func verify(_ anchor: ConsentAnchor) throws(ConsentLogFault) -> VerifiedConsentLog {
    if case .head(let head, let key) = anchor {
      guard let head else { throw .headMissing }
      if head.tip.log != id || !head.isSigned(by: key) { throw .headForged }
      if head.tip.count != entries.count { throw firstFault ?? .cutOff(head: head.tip.count, found: entries.count) }
    }
    let checked = try checkedEntries()
    switch anchor {
    case .head(let head, _): if head?.tip != tip { throw .lastAltered }
    case .journal:
      if let entry = checked.first(where: { !$0.isBeforeStore }) { throw .misplacedMark(entry.sequence) }
    }
    return VerifiedConsentLog(entries: checked, tip: tip)
  }

  /// The first fault within the entries, which says more than that their number is wrong.
  private var firstFault: ConsentLogFault? {
    do throws(ConsentLogFault) {
      _ = try checkedEntries()
      return nil
    } catch {
      return error
    }
  }

  private func checkedEntries() throws(ConsentLogFault) -> [ConsentEntry] {
    var checked: [ConsentEntry] = []
    var known: Set<Digest> = []
    var previous = ConsentEntry.mark(of: id)
    for (index, bytes) in entries.enumerated() {
      let place = index + 1
      guard let entry = ConsentEntry(bytes) else { throw .unreadable(place) }
      if entry.sequence != place { throw .outOfPlace(place) }
      if entry.previous != previous { throw .brokenChain(place) }
      if entry.isBeforeStore, checked.last?.isBeforeStore == false { throw .misplacedMark(place) }
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
