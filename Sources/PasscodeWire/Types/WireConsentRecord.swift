public import StrictJSON

/// One entry of the record of consent: the type `Record`.
public struct WireConsentRecord: Equatable, Sendable {
  /// Its place, from 1.
  public let sequence: Int
  /// Names its receipt: SHA-256 of the entry.
  public let id: String
  /// The form.
  public let form: String
  /// The version.
  public let version: String
  /// The language in which it was shown.
  public let locale: String
  /// SHA-256 of the exact text.
  public let sha256: String
  /// What happened.
  public let event: WireConsentEvent
  /// When, in seconds since 1970.
  public let at: Int
  /// The time zone of the one who answered.
  public let zone: String
  /// How.
  public let means: WireConsentMeans
  /// The account that answered.
  public let account: String
  /// Whether the store's key was there.
  public let recording: WireRecording
  /// Whether the store's signature covers it.
  public let isSigned: Bool

  /// What an entry is of.
  public struct Subject: Equatable, Sendable {
    /// See ``WireConsentRecord``.
    public var form: String, version: String, locale: String, sha256: String

    /// A form in one version and language.
    public init(form: String, version: String, locale: String, sha256: String) {
      self.form = form
      self.version = version
      self.locale = locale
      self.sha256 = sha256
    }
  }

  /// When and how an entry came to be.
  public struct Occasion: Equatable, Sendable {
    /// See ``WireConsentRecord``.
    public var at: Int, zone: String, means: WireConsentMeans, account: String

    /// An occasion.
    public init(at: Int, zone: String, means: WireConsentMeans, account: String) {
      self.at = at
      self.zone = zone
      self.means = means
      self.account = account
    }
  }

  /// How an entry stands in the record.
  public struct Place: Equatable, Sendable {
    /// See ``WireConsentRecord``.
    public var sequence: Int, id: String, recording: WireRecording, isSigned: Bool

    /// A place.
    public init(sequence: Int, id: String, recording: WireRecording, isSigned: Bool) {
      self.sequence = sequence
      self.id = id
      self.recording = recording
      self.isSigned = isSigned
    }
  }

  /// An entry.
  public init(_ event: WireConsentEvent, of subject: Subject, _ occasion: Occasion, at place: Place) {
    self.event = event
    (form, version, locale, sha256) = (subject.form, subject.version, subject.locale, subject.sha256)
    (at, zone, means, account) = (occasion.at, occasion.zone, occasion.means, occasion.account)
    (sequence, id, recording, isSigned) = (place.sequence, place.id, place.recording, place.isSigned)
  }
}

extension WireConsentRecord: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let sequence = json.integer(.sequence), let id = json.string(.id), let form = json.string(.form),
      let version = json.string(.version), let locale = json.string(.locale), let sha256 = json.string(.sha256),
      let event = json.word(.event, as: WireConsentEvent.self), let at = json.integer(.at), let zone = json.string(.zone),
      let means = json.word(.means, as: WireConsentMeans.self), let account = json.string(.account),
      let recording = json.word(.recording, as: WireRecording.self), let isSigned = json.bool(.isSigned)
    else { return nil }
    self.init(
      event, of: Subject(form: form, version: version, locale: locale, sha256: sha256),
      Occasion(at: at, zone: zone, means: means, account: account),
      at: Place(sequence: sequence, id: id, recording: recording, isSigned: isSigned))
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.integer(.sequence, sequence)
    message.string(.id, id)
    message.string(.form, form)
    message.string(.version, version)
    message.string(.locale, locale)
    message.string(.sha256, sha256)
    message.word(.event, event)
    message.integer(.at, at)
    message.string(.zone, zone)
    message.word(.means, means)
    message.string(.account, account)
    message.word(.recording, recording)
    message.bool(.isSigned, isSigned)
  }
}
