/// A signature on a document: the place for one, or one that was given. It proves who signed no more than ink does.
public struct ConsentSignature: Hashable, Sendable {
  /// Its name within the document, the same in every language.
  public var id: String
  /// Who signs: `Participant`. Printed, so that two signers are told apart.
  public var role: String
  /// Which names it takes.
  public var names: ConsentNames
  /// Whether it has to be drawn.
  public var requiresImage: Bool
  /// What is asked beside the name, such as an address.
  public var fields: [ConsentSignerField]
  /// How the date is written; nil is ``DatePattern/date``.
  public var datePattern: DatePattern?

  /// The given name.
  public var givenName: String?
  /// The family name.
  public var familyName: String?
  /// Which name comes first; nil is what the names themselves tell.
  public var nameOrder: ConsentNameOrder?
  /// The drawn signature.
  public var image: ConsentImage?
  /// When it was given.
  public var signedAt: ZonedInstant?

  /// The place for a signature.
  public init(
    id: String, role: String, names: ConsentNames = .both, requiresImage: Bool = true, datePattern: DatePattern? = nil
  ) {
    self.id = id
    self.role = role
    self.names = names
    self.requiresImage = requiresImage
    fields = []
    self.datePattern = datePattern
  }

  /// Whether a name has to be given.
  public var requiresName: Bool { names != .none }

  /// What it asks for, without the words of a language.
  struct Demand: Hashable {
    let id: String
    let names: ConsentNames
    let requiresImage: Bool
    let fields: [String]
  }

  var demand: Demand {
    Demand(id: id, names: names, requiresImage: requiresImage, fields: fields.map { "\($0.isRequired) \($0.id)" })
  }

  /// This place, signed.
  ///
  /// - Throws: `nameMissing`, `imageMissing`, `fieldsDiffer`, `improperName`, `unknownSignature` for another place's.
  public func signed(with given: GivenSignature) throws(ConsentModelFault) -> ConsentSignature {
    if given.id != id { throw .unknownSignature }
    for text in [given.givenName, given.familyName].compactMap({ $0 }) + given.fields.values {
      if !PlainText.isProperName(text) { throw .improperName }
    }
    let hasGiven = !(given.givenName ?? "").isEmpty, hasFamily = !(given.familyName ?? "").isEmpty
    switch names {
    case .none: break
    case .any: if !hasGiven, !hasFamily { throw .nameMissing }
    case .both: if !hasGiven || !hasFamily { throw .nameMissing }
    }
    if requiresImage, given.image == nil { throw .imageMissing }
    var copy = self
    for (key, value) in given.fields {
      guard let index = copy.fields.firstIndex(where: { $0.id == key }) else { throw .fieldsDiffer }
      copy.fields[index].value = value
    }
    if copy.fields.contains(where: { $0.isRequired && ($0.value ?? "").isEmpty }) { throw .fieldsDiffer }
    (copy.givenName, copy.familyName, copy.nameOrder) = (given.givenName, given.familyName, given.nameOrder)
    (copy.image, copy.signedAt) = (given.image, given.signedAt)
    return copy
  }

  /// The names in the person's order, kept on one line; nil without names.
  public var printedName: String? {
    let given = givenName ?? "", family = familyName ?? ""
    let isFamilyFirst = (nameOrder ?? .of(given + family)) == .familyFirst
    let parts = (isFamilyFirst ? [family, given] : [given, family]).filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "\u{A0}")
  }

  /// The date as it is printed.
  public var printedDate: String? { signedAt.map { (datePattern ?? .date).text($0) } }
}

/// Which names a signature takes.
public enum ConsentNames: String, Hashable, Sendable, CaseIterable {
  /// None: the signer may stay unnamed.
  case none
  /// One is enough: not everybody has two.
  case any
  /// A given and a family name.
  case both
}

/// Something a signer is asked beside the name.
public struct ConsentSignerField: Hashable, Sendable {
  /// Its name within the signature.
  public var id: String
  /// What is asked, for people.
  public var label: String
  /// Whether it has to be filled in.
  public var isRequired: Bool
  /// The answer.
  public var value: String?

  /// A field to fill in.
  public init(id: String, label: String, isRequired: Bool) {
    self.id = id
    self.label = label
    self.isRequired = isRequired
  }
}

/// Which name comes first. It is the person's, not the form's language's.
public enum ConsentNameOrder: String, Hashable, Sendable, CaseIterable {
  /// Given, then family.
  case givenFirst
  /// Family, then given.
  case familyFirst

  /// What the letters tell: names in Han, Hangul or kana have the family first.
  public static func of(_ name: String) -> ConsentNameOrder {
    let isEastAsian = name.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x11FF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0x20000...0x3FFFF: true
      default: false
      }
    }
    return isEastAsian ? .familyFirst : .givenFirst
  }
}

/// What a signer gave.
public struct GivenSignature: Hashable, Sendable {
  /// Which signature of the document.
  public var id: String
  /// The given name.
  public var givenName: String?
  /// The family name.
  public var familyName: String?
  /// Which comes first; nil is what the names tell.
  public var nameOrder: ConsentNameOrder?
  /// The drawn signature.
  public var image: ConsentImage?
  /// When it was given.
  public var signedAt: ZonedInstant
  /// The answers to the fields.
  public var fields: [String: String] = [:]

  /// A signature, so far without names and image.
  public init(id: String, signedAt: ZonedInstant) {
    self.id = id
    self.signedAt = signedAt
  }
}

/// A PNG.
public struct ConsentImage: Hashable, Sendable {
  /// The most bytes of one.
  public static let maximumByteCount = 256 << 10

  /// The file.
  public let png: [UInt8]

  /// - Throws: `improperImage` for what is no whole PNG, or is too large: in bytes, more than 4096 pixels a side, or more than 4
  ///   megapixels.
  public init(png: [UInt8]) throws(ConsentModelFault) {
    guard png.count <= Self.maximumByteCount, PNGStructure(png) != nil else { throw .improperImage }
    self.png = png
  }
}

extension ConsentImage {
  /// The PNG that a base64 text stands for.
  ///
  /// - Throws: `improperImage` for what is no base64, no PNG, or too large.
  public init(base64 text: String) throws(ConsentModelFault) {
    guard text.utf8.count <= Self.maximumByteCount / 3 * 4 + 8, let png = Base64Text.decode(text.utf8) else {
      throw .improperImage
    }
    try self.init(png: png)
  }

  /// The PNG as base64, with padding.
  public var base64: String { Base64Text.encode(png) }
}
