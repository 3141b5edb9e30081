public import StrictJSON

/// A form that is in force, and how the user stands to it: the type `Form`.
public struct WireConsentForm: Equatable, Sendable {
  /// Its name, the same in every version.
  public var id: String
  /// Its version, `major.minor`.
  public var version: String
  /// Terms or consent.
  public var kind: WireConsentKind
  /// Whether a new store waits for it.
  public var isRequired: Bool
  /// Whose it is.
  public var origin: WirePolicyRole
  /// What it gates: `create`, `unlock`, or a folder with its slash.
  public var gates: [String] = []
  /// The language that suits the caller best.
  public var locale: String
  /// Its title in that language.
  public var title: String
  /// SHA-256 of its exact text in that language, 64 hexadecimal digits.
  public var sha256: String
  /// How the user stands to it.
  public var state: WireConsentState
  /// Whether it is to be shown when a store is created.
  public var isAsked: Bool
  /// The version that was answered last.
  public var answeredVersion: String?
  /// When that was, in seconds since 1970.
  public var answeredAt: Int?
  /// Until when the consent holds, in seconds since 1970; nil is without end, or there is none.
  public var expiresAt: Int?
  /// The version that was agreed to before, where a later one asks again.
  public var agreedBefore: String?

  /// A form that nobody was asked yet, and which gates nothing.
  public init(id: String, version: String, kind: WireConsentKind, isRequired: Bool, origin: WirePolicyRole) {
    self.id = id
    self.version = version
    self.kind = kind
    self.isRequired = isRequired
    self.origin = origin
    (locale, title, sha256) = ("", "", "")
    state = .neverAsked
    isAsked = false
  }
}

extension WireConsentForm: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let id = json.string(.id), let version = json.string(.version), let kind = json.word(.kind, as: WireConsentKind.self),
      let isRequired = json.bool(.required), let origin = json.word(.origin, as: WirePolicyRole.self),
      let gates = json.strings(.gates), let locale = json.string(.locale), let title = json.string(.title),
      let sha256 = json.string(.sha256), let state = json.word(.state, as: WireConsentState.self),
      let isAsked = json.bool(.isAsked)
    else { return nil }
    self.init(id: id, version: version, kind: kind, isRequired: isRequired, origin: origin)
    (self.gates, self.locale, self.title, self.sha256) = (gates, locale, title, sha256)
    (self.state, self.isAsked) = (state, isAsked)
    answeredVersion = json.string(.answeredVersion)
    answeredAt = json.integer(.answeredAt)
    expiresAt = json.integer(.expiresAt)
    agreedBefore = json.string(.agreedBefore)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.id, id)
    message.string(.version, version)
    message.word(.kind, kind)
    message.bool(.required, isRequired)
    message.word(.origin, origin)
    message.strings(.gates, gates)
    message.string(.locale, locale)
    message.string(.title, title)
    message.string(.sha256, sha256)
    message.word(.state, state)
    message.bool(.isAsked, isAsked)
    message.string(.answeredVersion, answeredVersion)
    message.integer(.answeredAt, answeredAt)
    message.integer(.expiresAt, expiresAt)
    message.string(.agreedBefore, agreedBefore)
  }
}

/// What is wrong with a form's file: the type `FormFault`.
public struct WireFormFault: Equatable, Sendable {
  /// The file.
  public var path: String
  /// The line, from 1; nil where the fault has no place.
  public var line: Int?
  /// The column, from 1.
  public var column: Int?
  /// What is wrong: no capital, no full stop.
  public var message: String

  /// A fault.
  public init(path: String, line: Int?, column: Int?, message: String) {
    self.path = path
    self.line = line
    self.column = column
    self.message = message
  }
}

extension WireFormFault: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let path = json.string(.path), let message = json.string(.message) else { return nil }
    self.init(path: path, line: json.integer(.line), column: json.integer(.column), message: message)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.path, path)
    message.integer(.line, line)
    message.integer(.column, column)
    message.string(.message, self.message)
  }
}
