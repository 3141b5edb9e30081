public import SecretMemory

/// Why an attribute or a type is refused.
public enum MetadataFault: String, Sendable {
  case emptyKey, keyTooLong, valueTooLong, tooManyAttributes, typeTooLong, notUTF8, controlCharacter
}

/// What is known of a credential besides its secret: the metadata part of a record, opened, in locked memory.
///
/// Plaintext layout, integers little-endian:
/// `layout 1 ‖ created 8 ‖ modified 8 ‖ secret size 4 ‖ name (2 + n) ‖ type (2 + n) ‖ attribute count 2 ‖ (key (2 + n) ‖ value (2 + n))…`,
/// times as seconds since 1970, attributes in byte order of their keys.
public struct CredentialMetadata: ~Copyable, Sendable {
  /// The most attributes that a credential can have.
  public static let maximumAttributes = 64
  /// The longest attribute key and type, in bytes.
  public static let maximumKeyByteCount = 255
  /// The longest attribute value, in bytes.
  public static let maximumValueByteCount = 4096
  static let layout: UInt8 = 1

  private let plain: SecretBytes
  /// When the credential was first put, in seconds since 1970.
  public let created: Int64
  /// When its secret or its metadata last changed, in seconds since 1970.
  public let modified: Int64
  /// Size of the secret, in bytes.
  public let secretByteCount: Int
  private let nameRange: Range<Int>
  private let typeRange: Range<Int>
  private let attributeRanges: [(key: Range<Int>, value: Range<Int>)]

  /// Reads an opened metadata part, which it takes over.
  ///
  /// - Returns: nil where it is not as written. Since it was authenticated, that means a newer layout or a defect.
  public init?(_ plain: consuming SecretBytes) {
    var reader = ByteReader(plain.bytes)
    guard reader.integer(UInt8.self) == Self.layout, let created = reader.integer(Int64.self),
      let modified = reader.integer(Int64.self), let size = reader.integer(UInt32.self), let name = reader.counted(),
      let type = reader.counted(), let count = reader.integer(UInt16.self), count <= Self.maximumAttributes
    else { return nil }
    var attributes: [(key: Range<Int>, value: Range<Int>)] = []
    for _ in 0..<count {
      guard let key = reader.counted(), let value = reader.counted() else { return nil }
      attributes.append((key: key, value: value))
    }
    self.created = created
    self.modified = modified
    secretByteCount = Int(size)
    nameRange = name
    typeRange = type
    attributeRanges = attributes
    self.plain = plain
  }

  /// The name.
  public var name: Span<UInt8> {
    @_lifetime(borrow self)
    get { plain.bytes.extracting(nameRange) }
  }

  /// The MIME type; empty where none was given.
  public var type: Span<UInt8> {
    @_lifetime(borrow self)
    get { plain.bytes.extracting(typeRange) }
  }

  /// How many attributes there are.
  public var attributeCount: Int { attributeRanges.count }

  /// The key of the attribute at `index`, in byte order of the keys.
  @_lifetime(borrow self)
  public func attributeKey(_ index: Int) -> Span<UInt8> { plain.bytes.extracting(attributeRanges[index].key) }

  /// The value of the attribute at `index`.
  @_lifetime(borrow self)
  public func attributeValue(_ index: Int) -> Span<UInt8> { plain.bytes.extracting(attributeRanges[index].value) }

  /// The place of an attribute by its key; nil where there is none. O(attributes).
  public func indexOfAttribute(_ key: Span<UInt8>) -> Int? {
    attributeRanges.indices.first { spansAreEqual(plain.bytes.extracting(attributeRanges[$0].key), key) }
  }
}

extension ByteReader {
  /// The place of a byte string preceded by its length as two bytes.
  mutating func counted() -> Range<Int>? { integer(UInt16.self).flatMap { skip(Int($0)) } }
}

/// Whether two public byte strings are the same. Not constant time.
public func spansAreEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  for index in a.indices where a[index] != b[index] { return false }
  return true
}
