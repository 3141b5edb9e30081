public import SecretMemory

/// A log whose every entry was checked: the only thing that a decision is made from.
public struct VerifiedConsentLog: Sendable {
  /// The entries, in order.
  public private(set) var entries: [ConsentEntry]
  /// How many of them, from the first, the signed head covers: none of a journal. The others were recorded while the store was
  /// locked; they count, and are signed over at the next unlock.
  public private(set) var signedCount: Int
  /// Where it ends.
  public private(set) var tip: ConsentTip
  /// What a decision needs of each form's entries, kept up as entries come.
  private var histories: [ConsentFormID: History] = [:]

  /// One form's entries by their indices, and those of them that decide.
  struct History: Sendable {
    var indices: [Int] = []
    /// The last that says how the person stands to the form, shown or answered.
    var last: Int?
    /// The last answer.
    var answer: Int?
    /// The last consent.
    var agreed: Int?
    /// How often each major version was put off.
    var deferrals: [Int: Int] = [:]

    mutating func add(_ fact: ConsentFact, at index: Int) {
      indices.append(index)
      if fact.event.isAside { return }
      last = index
      if fact.event != .requested { answer = index }
      if fact.event == .given || fact.event == .renewed { agreed = index }
      if fact.event == .deferred { deferrals[fact.version.major, default: 0] += 1 }
    }
  }

  init(entries: [ConsentEntry], signedCount: Int, tip: ConsentTip) {
    self.entries = entries
    self.signedCount = signedCount
    self.tip = tip
    for (index, entry) in entries.enumerated() { histories[entry.fact.form, default: History()].add(entry.fact, at: index) }
  }

  /// The log of somebody who was never asked.
  public static func empty(id: Digest) -> VerifiedConsentLog {
    VerifiedConsentLog(entries: [], signedCount: 0, tip: ConsentLog(id: id).tip)
  }

  /// What counts where a log has a fault: nothing.
  static let unknown = empty(id: SHA256.digest([UInt8]().span))

  /// Takes in what was added to the log since it was verified, and checks that.
  ///
  /// - Parameters:
  ///   - log: the log of which this one was verified, with more entries.
  ///   - signedCount: how many of its entries the head covers that was signed over it.
  /// - Throws: the first fault of what was added; nothing is changed then.
  /// - Complexity: O(*n*) in what was added.
  public mutating func extend(to log: ConsentLog, signedCount: Int) throws(ConsentLogFault) {
    guard log.id == tip.log, log.entries.count >= entries.count else {
      throw .cutOff(head: entries.count, found: log.entries.count)
    }
    for entry in try log.checkedEntries(after: entries.count, previous: tip.digest) {
      histories[entry.fact.form, default: History()].add(entry.fact, at: entries.count)
      entries.append(entry)
    }
    tip = log.tip
    self.signedCount = signedCount
  }

  /// The entries of one form, in order.
  public func entries(of form: ConsentFormID) -> [ConsentEntry] { history(of: form).indices.map { entries[$0] } }

  /// The last answer to a form: not that it was shown, and not one more signature. O(1).
  public func answer(to form: ConsentFormID) -> ConsentEntry? { history(of: form).answer.map { entries[$0] } }

  /// A form's last entry before this place. O(1) from the end on.
  func entry(of form: ConsentFormID, before sequence: Int) -> ConsentEntry? {
    history(of: form).indices.last { $0 + 1 < sequence }.map { entries[$0] }
  }

  func history(of form: ConsentFormID) -> History { histories[form] ?? History() }

  /// The entries before this one whose instant is later: the clock was set back. No fault: the order is the log's.
  public var clockSetBack: [Int] {
    zip(entries, entries.dropFirst()).filter { $0.fact.at.seconds > $1.fact.at.seconds }.map(\.1.sequence)
  }
}
