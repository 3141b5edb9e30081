public import StrictJSON

/// A signature on a document: the type `Signature`.
public struct WireSignature: Equatable, Sendable {
  /// Which of the document's signatures.
  public var id: String
  /// The given name.
  public var givenName: String?
  /// The family name.
  public var familyName: String?
  /// Which name comes first; nil is what the names tell.
  public var nameOrder: WireNameOrder?
  /// A drawn signature: a PNG in base64.
  public var image: String?
  /// What else the signature asks for, by the ids of its fields.
  public var fields: [String: String] = [:]

  /// A signature, so far without names and image.
  public init(id: String) { self.id = id }
}

extension WireSignature: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let id = json.string(.id) else { return nil }
    self.init(id: id)
    givenName = json.string(.givenName)
    familyName = json.string(.familyName)
    nameOrder = json.word(.nameOrder)
    image = json.string(.image)
    fields = json.map(.fields) ?? [:]
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.id, id)
    message.string(.givenName, givenName)
    message.string(.familyName, familyName)
    message.word(.nameOrder, nameOrder)
    message.string(.image, image)
    if !fields.isEmpty { message.map(.fields, fields) }
  }
}

/// The answer to one form: the type `FormAnswer`.
public struct WireConsentAnswer: Equatable, Sendable {
  /// The form.
  public var form: String
  /// The version that was shown.
  public var version: String
  /// SHA-256 of the exact text that was shown.
  public var sha256: String
  /// The answer.
  public var choice: WireConsentChoice
  /// The user's signature.
  public var signature: WireSignature?
  /// With whom data is shared.
  public var sharing: WireSharing?

  /// An answer without a signature and a sharing choice.
  public init(form: String, version: String, sha256: String, choice: WireConsentChoice) {
    self.form = form
    self.version = version
    self.sha256 = sha256
    self.choice = choice
  }
}

extension WireConsentAnswer: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let form = json.string(.form), let version = json.string(.version), let sha256 = json.string(.sha256),
      let choice = json.word(.choice, as: WireConsentChoice.self)
    else { return nil }
    self.init(form: form, version: version, sha256: sha256, choice: choice)
    signature = json.message(.signature)
    sharing = json.word(.sharing)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.form, form)
    message.string(.version, version)
    message.string(.sha256, sha256)
    message.word(.choice, choice)
    message.message(.signature, signature)
    message.word(.sharing, sharing)
  }
}
