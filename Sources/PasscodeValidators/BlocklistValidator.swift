public import PasscodeCore
internal import SecretMemory

/// `blocklist`: not an entry of a list, compared as a whole and without the difference of upper and lower case. Digits of
/// other scripts count as ASCII's.
public struct BlocklistValidator: PasscodeValidationDelegate {
  /// `blocklist`
  public let id = "blocklist"
  /// What is listed.
  public let requirement: String?
  private let packaged: [PackagedList]
  private let files: [ListFile]

  /// A validator over one list or several.
  ///
  /// - Throws: `unreadable`, `notRegular`, `tooLarge` of a list's file (64 MiB).
  /// - Complexity: reading a file is O(*n* log *n*); one that has not changed since is not read again.
  public init(_ sources: [BlocklistSource]) throws(ValidatorFault) {
    var packaged: [PackagedList] = []
    var files: [ListFile] = []
    for source in sources {
      switch source {
      case .common: packaged.append(.common)
      case .pins: packaged.append(.pins)
      case .file(let path): files.append(try ListFile.read(path))
      }
    }
    self.packaged = packaged
    self.files = files
    requirement = Self.requirement(sources)
  }

  private static func requirement(_ sources: [BlocklistSource]) -> String {
    let names = [(BlocklistSource.pins, "PIN"), (.common, "password")].filter { sources.contains($0.0) }.map(\.1)
    return names.isEmpty ? "not on the list of refused passcodes" : "not a common \(names.joined(separator: " or "))"
  }

  /// Accepts what is on no list.
  ///
  /// - Throws: a rejection.
  /// - Complexity: O(log *n*) for each list.
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    guard let folded = try? FoldedText(candidate) else {
      throw PasscodeRejection("could not be compared with the list: out of locked memory")
    }
    for list in packaged where list.contains(folded.bytes) {
      throw PasscodeRejection("one of the most common, which are tried first")
    }
    for list in files where list.contains(folded.bytes) { throw PasscodeRejection("on the list of refused passcodes") }
  }
}
