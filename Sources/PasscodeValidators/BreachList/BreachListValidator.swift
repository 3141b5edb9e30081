public import PasscodeCore
internal import SecretMemory

/// `breachList`: not in a list of passwords known from breaches, looked up offline in indexes that `BreachListImporter` makes.
///
/// The candidate is compared as it is given, in NFC, with upper and lower case told apart. An index keeps eight bytes of each
/// SHA-1: of a list of 10⁹ entries, one candidate in 10¹⁰ is refused for another one's sake; none that is listed is accepted.
///
/// Secrets: the candidate's SHA-1 is computed in locked memory; only its first eight bytes are looked up.
public struct BreachListValidator: PasscodeValidationDelegate {
  /// `breachList`
  public let id = "breachList"
  private let indexes: [(path: String, index: BreachListIndex)]

  /// A validator over one index or several.
  ///
  /// - Throws: `unreadable`, `notRegular`; `breachList` with why the file is no good index.
  /// - Complexity: O(1) for each: half a megabyte is read; nothing of one that has not changed since.
  public init(_ paths: [String]) throws(ValidatorFault) {
    var indexes: [(path: String, index: BreachListIndex)] = []
    for path in paths { indexes.append((path, try BreachListIndex.open(path))) }
    self.indexes = indexes
  }

  /// What is listed.
  public var requirement: String? { "not known from a breach" }

  /// How many entries the indexes have together.
  public var entryCount: Int { indexes.reduce(0) { $0 + $1.index.count } }

  /// Accepts what is in no list.
  ///
  /// - Throws: a rejection; for an index that turns out to be damaged as well, with its path.
  /// - Complexity: O(log *n*) for each index.
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    guard let entry = try? SHA1.prefix(of: candidate) else {
      throw PasscodeRejection("could not be looked up in the breach list: out of locked memory")
    }
    for (path, index) in indexes {
      let isListed: Bool
      do throws(BreachListFault) { isListed = try index.contains(entry) } catch {
        throw PasscodeRejection("could not be looked up in the breach list: \(path): \(error)")
      }
      if isListed { throw PasscodeRejection("known from a breach: whoever guesses tries it early") }
    }
  }
}
