/// What of a store is not as it was sealed, although what opens it is: rows were taken away, put back, moved or changed behind the
/// store's back, or the disk has lost them.
///
/// What is intact stays readable, each value sealed on its own. Nothing is written any more: what the state says stays the
/// witness of what is missing.
public struct StoreDamage: Hashable, Sendable {
  /// What is wrong with the rows of one kind.
  public enum Finding: Hashable, Sendable {
    /// So many fewer than there were.
    case missing(UInt64)
    /// So many more than there were.
    case surplus(UInt64)
    /// As many as there were, but not the same: changed, or put back to what they were before.
    case changed
    /// The disk or the file does not give them all out.
    case unreadable
  }

  /// The findings, by what they are about: `record`, `version`, `lookup`, `history`, or `file` for what can't be read.
  public private(set) var findings: [StorePart: Finding] = [:]

  /// No damage.
  public init() {}

  /// Takes a finding in; nil is none.
  public mutating func note(_ part: StorePart, _ finding: Finding?) {
    if let finding { findings[part] = finding }
  }
}
