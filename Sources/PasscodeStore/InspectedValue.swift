public import PasscodeCore
public import SecretMemory

/// What is wrong with a sealed value that was looked at.
public enum Harm: String, CaseIterable, Sendable {
  /// Neither what is known of it nor its secret can be opened.
  case unreadable
  /// Its secret can't be opened; what is known of it can.
  case secretUnreadable
  /// Both parts open, but its name does not lead to it: it lies under another one, or its row out of order.
  case misplaced
  /// Both parts open, but it lies under another name than its own, which leads to a value that is in its place: a copy.
  case stray
  /// Both parts open, but it is an earlier value that was put back in the place of a later one.
  case replayed
  /// Both parts open, but its folders or its attributes do not lead to it.
  case unlisted

  /// Whether the value is worth to be taken out: both parts open, and it is no copy.
  public var isWhole: Bool {
    switch self {
    case .unreadable, .secretUnreadable, .stray: false
    case .misplaced, .replayed, .unlisted: true
    }
  }
}

/// A sealed value that was looked at: a credential, or an earlier value.
///
/// Secrets: name, metadata and secret lie in locked memory and are wiped when this ends.
public struct InspectedValue: ~Copyable, Sendable {
  /// Whether it is the value of a credential now; false: an earlier one.
  public let isCurrent: Bool
  /// Its number, as it stands in the file.
  public internal(set) var version: Int64
  /// What is wrong with it; nil where nothing is.
  public internal(set) var harm: Harm?
  /// Of a hurt credential the latest earlier value that is intact; nil where there is none.
  public internal(set) var intactVersion: Int64?
  /// What is known of it; nil where that can't be opened.
  public internal(set) var metadata: CredentialMetadata?
  /// Its secret; nil where it can't be opened.
  public internal(set) var secret: SecretBytes?
  /// The name by which it is told, of a hurt one; nil where none could be found out.
  public internal(set) var name: SecretBytes?
  var head: RecordHead?
  /// Whether it was found among all rows only, and not at its place.
  var isOutOfReach = false

  init(isCurrent: Bool, version: Int64) {
    self.isCurrent = isCurrent
    self.version = version
  }
}

/// How many values an inspection has found, so far.
public struct InspectionTally: Hashable, Sendable {
  /// Credentials of which nothing is wrong.
  public internal(set) var intactCredentials = 0
  /// The others.
  public internal(set) var hurtCredentials = 0
  /// Earlier values of which nothing is wrong.
  public internal(set) var intactVersions = 0
  /// The others.
  public internal(set) var hurtVersions = 0
  /// Stretches of the file that can't be read: what lay there is not among the others.
  public internal(set) var gaps = 0

  /// Whether nothing is wrong.
  public var isSound: Bool { hurtCredentials == 0 && hurtVersions == 0 && gaps == 0 }

  mutating func count(_ value: borrowing InspectedValue) {
    switch (value.isCurrent, value.harm == nil) {
    case (true, true): intactCredentials += 1
    case (true, false): hurtCredentials += 1
    case (false, true): intactVersions += 1
    case (false, false): hurtVersions += 1
    }
  }
}
