public import SecretMemory

/// SHA-256 of an exact text.
public typealias DigestOfText = Digest

/// One entry of a log: what somebody answered, to what, when and how. An entry is never changed; the next one follows.
public struct ConsentEntry: Hashable, Sendable {
  /// The place in the log, from 1.
  public let sequence: Int
  /// The digest of the entry before; of the first, of the log's own mark.
  public let previous: Digest
  /// What is recorded.
  public let fact: ConsentFact
  /// What the store's key had to do with it when it was recorded.
  public let recording: ConsentRecording

  /// The digest that the next entry, or the head, holds.
  public var digest: Digest { Self.digest(of: encoded) }

  /// The digest of an entry's bytes: SHA-256 over a label and the bytes.
  static func digest(of bytes: [UInt8]) -> Digest { SHA256.digest((Array("passcoded consent entry 1\n".utf8) + bytes).span) }

  /// The mark that the first entry of a log follows.
  static func mark(of log: Digest) -> Digest { SHA256.digest((Array("passcoded consent log 1\n".utf8) + log.bytes).span) }
}

/// What the store's key had to do with an entry when it was recorded.
public enum ConsentRecording: String, Hashable, Sendable, CaseIterable {
  /// There was no store that could have signed it. Such entries are the first ones of a log.
  case beforeStore
  /// The store was locked. The next head, signed when it is unlocked, covers it; until then nothing does.
  case whileLocked
  /// The head was signed over it at once.
  case signed
}

/// What is recorded of one answer.
public struct ConsentFact: Hashable, Sendable {
  /// What happened.
  public var event: ConsentEvent
  /// The form.
  public var form: ConsentFormID
  /// Its version.
  public var version: ConsentVersion
  /// The language in which it was shown.
  public var locale: LanguageTag
  /// Terms or consent.
  public var kind: ConsentKind
  /// SHA-256 of the exact text; the text itself is kept beside the log.
  public var text: DigestOfText
  /// SHA-256 of what a receipt has to tell of the form, kept beside the log too.
  public var details: Digest
  /// SHA-256 of the document as it is put on paper with its signatures.
  public var paper: Digest?
  /// Who answered.
  public var person: ConsentPerson
  /// When.
  public var at: ZonedInstant
  /// How.
  public var means: ConsentMeans
  /// Until when it holds, in seconds since 1970; nil is without end.
  public var expiresAt: Int64?
  /// The signatures, their images by digest.
  public var signatures: [RecordedSignature] = []
  /// With whom data is shared.
  public var sharing: SharingAnswer?

  /// A fact without signatures, sharing, paper and end.
  public init(
    _ event: ConsentEvent, of subject: ConsentSubject, person: ConsentPerson, at: ZonedInstant, means: ConsentMeans
  ) {
    self.event = event
    form = subject.form
    version = subject.version
    locale = subject.locale
    kind = subject.kind
    text = subject.text
    details = subject.details
    self.person = person
    self.at = at
    self.means = means
  }

  /// What it is about.
  public var subject: ConsentSubject {
    ConsentSubject(form: form, version: version, locale: locale, kind: kind, text: text, details: details)
  }
}

/// A form in one language, as an entry names it.
public struct ConsentSubject: Hashable, Sendable {
  /// The form.
  public var form: ConsentFormID
  /// Its version.
  public var version: ConsentVersion
  /// The language.
  public var locale: LanguageTag
  /// Terms or consent.
  public var kind: ConsentKind
  /// SHA-256 of the exact text.
  public var text: DigestOfText
  /// SHA-256 of ``ConsentForm/details(of:)``.
  public var details: Digest
}

extension ConsentForm {
  /// The form in one language, as an entry names it.
  public func subject(in variant: ConsentVariant) -> ConsentSubject {
    ConsentSubject(
      form: id, version: version, locale: variant.locale, kind: kind, text: text(of: variant).digest,
      details: SHA256.digest(details(of: variant).span))
  }
}

/// A signature as an entry keeps it.
public struct RecordedSignature: Hashable, Sendable {
  /// Which of the document's.
  public var id: String
  /// Who signed.
  public var role: String
  /// The given name.
  public var givenName: String?
  /// The family name.
  public var familyName: String?
  /// Which comes first.
  public var nameOrder: ConsentNameOrder?
  /// SHA-256 of the drawn signature, kept beside the log.
  public var image: Digest?
  /// When it was given.
  public var signedAt: ZonedInstant?
  /// What else was asked, with the answers.
  public var fields: [RecordedField] = []

  /// A signature that was given.
  public init(_ signature: ConsentSignature) {
    id = signature.id
    role = signature.role
    givenName = signature.givenName
    familyName = signature.familyName
    nameOrder = signature.nameOrder
    image = signature.image.map { SHA256.digest($0.png.span) }
    signedAt = signature.signedAt
    fields = signature.fields.compactMap { field in field.value.map { RecordedField(id: field.id, value: $0) } }
  }

  init(id: String, role: String) {
    self.id = id
    self.role = role
  }
}

/// One answer of a signer.
public struct RecordedField: Hashable, Sendable {
  /// Which of the signature's fields.
  public var id: String
  /// The answer.
  public var value: String
}
