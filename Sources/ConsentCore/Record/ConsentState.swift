/// How a person stands to a form. Derived from the valid entries each time, never stored as a flag.
///
/// Source: the Data Privacy Vocabulary's consent states, with the two that it lacks: never asked, and superseded.
public enum ConsentState: String, Hashable, Sendable, CaseIterable {
  /// There is no entry.
  case neverAsked
  /// It was shown, and not answered.
  case requested
  /// *Not now.*
  case deferred
  /// Denied.
  case refused
  /// Agreed to.
  case given
  /// Agreed to again.
  case renewed
  /// Agreed to in a major version before this one, or in other words under the same version.
  case superseded
  /// Agreed to longer ago than the answer holds.
  case expired
  /// Taken back.
  case withdrawn

  /// Whether what the form gates is open.
  public var isGiven: Bool { self == .given || self == .renewed }
}

/// What an entry records.
public enum ConsentEvent: String, Hashable, Sendable, CaseIterable {
  /// The form was shown, and not answered.
  case requested
  /// *Not now.*
  case deferred
  /// Denied.
  case refused
  /// Agreed to.
  case given
  /// Agreed to again.
  case renewed
  /// Another signer signed: nothing else changes.
  case signed
  /// A later major version took its place.
  case superseded
  /// Its time ran out.
  case expired
  /// Taken back.
  case withdrawn
  /// The log was begun in the place of a faulty one: about no form.
  case restarted

  /// Whether it says nothing about how a person stands to a form.
  var isAside: Bool { self == .signed || self == .restarted }
}

/// Whose answer it is.
public struct ConsentPerson: Hashable, Sendable {
  /// The longest account name, in bytes.
  static let accountLimit = 256

  /// The number of the account.
  public let uid: UInt32
  /// Its name.
  public let account: String

  /// Nil where the name is longer than 256 bytes or holds control characters.
  public init?(uid: UInt32, account: String) {
    guard PlainText.isProperName(account) else { return nil }
    self.uid = uid
    self.account = account
  }
}

/// How an answer was given.
public enum ConsentMeans: String, Hashable, Sendable, CaseIterable {
  /// Page by page on a terminal.
  case terminal
  /// In a dialog.
  case pinentry
  /// By a command that named the version and the text's digest.
  case command
  /// By another client of the daemon.
  case client
  /// In an app, by the library.
  case app
}

/// What a decision needs of a form.
public struct ConsentFormFacts: Hashable, Sendable {
  /// The form's id.
  public let id: ConsentFormID
  /// Its version.
  public let version: ConsentVersion
  /// Whether it is required.
  public let isRequired: Bool
  /// The digest of each language's exact text.
  public let digests: [LanguageTag: DigestOfText]

  /// The facts of a form that was not loaded from a file.
  public init(id: ConsentFormID, version: ConsentVersion, isRequired: Bool, digests: [LanguageTag: DigestOfText]) {
    self.id = id
    self.version = version
    self.isRequired = isRequired
    self.digests = digests
  }
}

extension ConsentForm {
  /// What a decision needs. Renders every language: to be kept, not made for each call.
  public var facts: ConsentFormFacts {
    ConsentFormFacts(id: id, version: version, isRequired: isRequired, digests: digests)
  }
}
