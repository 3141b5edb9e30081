/// What is done with whose data, as a receipt has to tell it.
///
/// Source: ISO/IEC TS 27560:2023, section *PII processing*, by way of the Data Privacy Vocabulary's guide.
public struct ConsentProcessing: Hashable, Sendable {
  /// Where the notice stands that all this comes from.
  public var privacyNotice: String
  /// What for.
  public var purposes: [ConsentPurposeFacts]
  /// Who decides over it.
  public var controllers: [ConsentParty]
  /// Where data is kept.
  public var storageLocations: [String]
  /// For how long.
  public var retention: String
  /// Whose law holds.
  public var jurisdiction: String
  /// Who else gets data.
  public var recipients: [String]
  /// How to take the consent back.
  public var withdrawalMethod: String

  /// The command that takes a consent back; the form's id follows.
  static let withdrawalCommand = "passcode consent withdraw"

  /// The facts of a processing.
  public init(
    privacyNotice: String, purposes: [ConsentPurposeFacts], controllers: [ConsentParty], retention: String,
    jurisdiction: String
  ) {
    self.privacyNotice = privacyNotice
    self.purposes = purposes
    self.controllers = controllers
    self.retention = retention
    self.jurisdiction = jurisdiction
    storageLocations = []
    recipients = []
    withdrawalMethod = Self.withdrawalCommand
  }
}

/// One purpose, and the data that it needs.
public struct ConsentPurposeFacts: Hashable, Sendable {
  /// What for, for people.
  public var description: String
  /// Kinds of personal data.
  public var personalData: [String]
  /// The ground in law, such as `consent` or `contract`.
  public var lawfulBasis: String?

  /// A purpose.
  public init(description: String, personalData: [String], lawfulBasis: String? = nil) {
    self.description = description
    self.personalData = personalData
    self.lawfulBasis = lawfulBasis
  }
}

/// Somebody who decides over data.
public struct ConsentParty: Hashable, Sendable {
  /// The name.
  public var name: String
  /// Where they are.
  public var address: String
  /// How to reach them.
  public var contact: String

  /// A party.
  public init(name: String, address: String, contact: String) {
    self.name = name
    self.address = address
    self.contact = contact
  }
}
