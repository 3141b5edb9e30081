/// The name of a form: 1 to 64 of `a`–`z`, `0`–`9`, `.`, `-`, `_`, starting with a letter or a digit.
public struct ConsentFormID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name.
  public let description: String

  /// Nil where the text is no such name.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard 1...64 ~= bytes.count, Self.isAlphanumeric(bytes[0]) else { return nil }
    for byte in bytes where !Self.isAlphanumeric(byte) && !Array(".-_".utf8).contains(byte) { return nil }
    description = text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// Byte order.
  public static func < (a: ConsentFormID, b: ConsentFormID) -> Bool { a.description < b.description }
}

/// The version of a form, written `major.minor`.
///
/// A new major number is a change that has to be agreed to again; a new minor number is one that has not, such as a
/// corrected slip of the pen. So an answer holds for every version with its major number.
public struct ConsentVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The largest number on either side.
  public static let maximum = 999_999

  /// Counts what has to be agreed to again.
  public let major: Int
  /// Counts what has not.
  public let minor: Int

  /// Nil where a number is out of 0 … ``maximum``.
  public init?(major: Int, minor: Int) {
    guard 0...Self.maximum ~= major, 0...Self.maximum ~= minor else { return nil }
    self.major = major
    self.minor = minor
  }

  /// Nil where the text is not two numbers without needless zeros around a full stop.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
    self.init(major: major, minor: minor)
    if description != text { return nil }
  }

  /// `major.minor`
  public var description: String { "\(major).\(minor)" }

  /// By major, then by minor number.
  public static func < (a: ConsentVersion, b: ConsentVersion) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}

/// What makes a form or a signature impossible.
public enum ConsentModelFault: Error, Hashable, Sendable {
  /// A form has no text at all.
  case noVariants
  /// A form has a language twice.
  case doubledLocale
  /// A form has no text in its default language.
  case noDefaultVariant
  /// A variant asks for something else than the others do.
  case variantsDiffer(LanguageTag)
  /// A form has neither a page nor a section.
  case emptyContent
  /// Two signatures of a document have the same id.
  case doubledSignature
  /// A consent does not say what is done with whose data.
  case noProcessing
  /// The document has no signature of this id.
  case unknownSignature
  /// A signature lacks a name that it requires.
  case nameMissing
  /// A signature lacks the image that it requires.
  case imageMissing
  /// A signature lacks a field that it requires, or has one that the form does not know.
  case fieldsDiffer
  /// A name or a field holds control or direction characters, or is too long.
  case improperName
  /// An image is no PNG of at most ``ConsentImage/maximumByteCount`` bytes.
  case improperImage
}

extension ConsentModelFault: CustomStringConvertible {
  /// The fault in plain words, lower case and without a full stop.
  public var description: String {
    switch self {
    case .noVariants: "the form has no text"
    case .doubledLocale: "the form has a language twice"
    case .noDefaultVariant: "the form has no text in its default language"
    case .variantsDiffer(let tag): "the text in \(tag) asks for something else than the others do"
    case .emptyContent: "the form has neither a page nor a section"
    case .doubledSignature: "two signatures have the same id"
    case .noProcessing: "a consent has to say what is done with whose data"
    case .unknownSignature: "the document has no such signature"
    case .nameMissing: "the signature needs the signer's name"
    case .imageMissing: "the signature needs a drawn signature"
    case .fieldsDiffer: "the signature's fields are not those that the form asks for"
    case .improperName: "a name holds control characters, nothing that is seen, or is too long"
    case .improperImage: "the image is no PNG, or too large"
    }
  }
}
