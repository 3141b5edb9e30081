public import PasscodePlatform

/// Why a breach list can't be made or used.
public enum BreachListFault: Error, Equatable, Sendable {
  /// The file is no index: it has to be imported first.
  case notAnIndex
  /// The index was made by another release.
  case unknownVersion(UInt32)
  /// The index is cut off or longer than it says, in bytes.
  case wrongSize(expected: Int, actual: Int)
  /// The index is damaged.
  case damaged
  /// A line is not `SHA1:count`; in a range file not the last 35 digits and the count.
  case malformedLine(Int)
  /// A line comes before the one above it.
  case unsortedLine(Int)
  /// A range file is missing.
  case missingRange(String)
  /// There is not a single entry.
  case empty
  /// The index would replace what it is made from.
  case sameFile
  /// Whoever asked for the import has stopped it.
  case stopped
  /// The system said no.
  case system(PlatformError)
}

extension BreachListFault: CustomStringConvertible {
  /// The fault as a phrase, to go behind a path.
  public var description: String {
    switch self {
    case .notAnIndex: "not an index of a breach list; make one with: passcode breach-list import SOURCE --to FILE"
    case .unknownVersion(let version): "an index of version \(version), which this release does not know; import the list again"
    case .wrongSize(let expected, let actual): "damaged: \(actual) bytes long, where \(expected) belong; import the list again"
    case .damaged: "damaged: its checksum is wrong; import the list again"
    case .malformedLine(let line): "line \(line): not a SHA-1 in hexadecimal, a colon and a count"
    case .unsortedLine(let line): "line \(line): out of order; the list has to be sorted by SHA-1 (sort it with: LC_ALL=C sort)"
    case .missingRange(let name): "the range file \(name) is missing: the download is not complete"
    case .empty: "holds no entry"
    case .sameFile: "the index would replace the list that it is made from"
    case .stopped: "the import was stopped"
    case .system(let error): "\(error)"
    }
  }
}
