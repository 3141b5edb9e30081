public import PasscodeWire

/// All forms in force.
public struct ConsentForms: Equatable, Sendable {
  /// The forms, in the order in which they are asked.
  public let forms: [WireConsentForm]
  /// What is wrong with files of forms.
  public let formFaults: [WireFormFault]
  /// What is wrong with the record, in words: nothing in it counts then.
  public let recordFault: String?
}

/// What is to be read of consent.
public struct ConsentReading: Equatable, Sendable {
  /// The most that is read, in bytes.
  public static let byteLimit = 64 << 20

  /// What kind of thing.
  public var piece: WireConsentPiece
  /// Of which form.
  public var form: String?
  /// In which language; nil is the one that suits `languages` best.
  public var locale: String?
  /// The languages that the user reads, best first.
  public var languages: [String] = []
  /// Of which entry a receipt; nil is the form's latest.
  public var sequence: Int?

  /// The latest of its kind, in the form's own language.
  public init(_ piece: WireConsentPiece, of form: String? = nil) {
    self.piece = piece
    self.form = form
  }
}

/// How, and in which time zone, somebody answers.
public struct AnswerOccasion: Equatable, Sendable {
  /// How.
  public var means: WireConsentMeans
  /// The time zone, such as `Europe/Zurich`; nil is UTC.
  public var zone: String?
  /// Its offset from UTC now, in seconds.
  public var utcOffset: Int?

  /// An occasion.
  public init(_ means: WireConsentMeans = .client, zone: String? = nil, utcOffset: Int? = nil) {
    self.means = means
    self.zone = zone
    self.utcOffset = utcOffset
  }

  func write(into call: inout MessageWriter) {
    call.word(.means, means)
    call.string(.zone, zone)
    call.integer(.utcOffset, utcOffset)
  }
}

/// What a check of the whole record found.
public struct ConsentVerification: Equatable, Sendable {
  /// How many entries there are.
  public let count: Int
  /// How many of them the store's signature covers.
  public let signedCount: Int
  /// SHA-256 of the store's public key for consent, in hexadecimal; nil where nothing is signed yet.
  public let keyFingerprint: String?
  /// Whether the store was open: an earlier record that was put back would have been found.
  public let isComplete: Bool
  /// The first entry that has an earlier time than the one before: the clock was set back. No fault.
  public let clockSetBackAt: Int?
  /// What is wrong, in words; nil where nothing is.
  public let fault: String?
}

/// A faulty record that was set aside, and the one that was begun in its place.
public struct ConsentRestart: Equatable, Sendable {
  /// The entry that begins the new one.
  public let record: WireConsentRecord
  /// What was wrong with the one before, in words.
  public let fault: String
  /// The file in which it lies.
  public let path: String
  /// SHA-256 of that file, in hexadecimal.
  public let sha256: String
}
