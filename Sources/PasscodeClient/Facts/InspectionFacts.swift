public import PasscodeWire

/// What a look at every value of the store found.
public struct InspectionFacts: Equatable, Sendable {
  /// How many credentials are intact.
  public let intact: Int
  /// How many earlier values are intact.
  public let intactVersions: Int
  /// What is hurt, the first 1,000 values.
  public let hurt: [WireHurt]
  /// How many values are hurt in all.
  public let hurtCount: Int
  /// Parts of the file that can't be read.
  public let gaps: Int
  /// What of the store as a whole is not as it was sealed, each in words.
  public let damage: [String]

  /// Whether nothing is wrong.
  public var isSound: Bool { hurtCount == 0 && gaps == 0 && damage.isEmpty }
}

/// What came of taking all credentials out.
public struct ExportFacts: Equatable, Sendable {
  /// How many credentials the daemon told.
  public let count: Int
  /// What is hurt, the first 1,000. Those that ``WireHarm/isToldAllTheSame`` were told.
  public let hurt: [WireHurt]
  /// How many are hurt in all.
  public let hurtCount: Int
  /// Parts of the file that can't be read.
  public let gaps: Int
}

extension WireHarm {
  /// Whether an export that salvages tells such a value.
  public var isToldAllTheSame: Bool { [.misplaced, .replayed, .unlisted].contains(self) }
}
