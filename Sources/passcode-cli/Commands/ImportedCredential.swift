internal import PasscodeCore
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

/// What is wrong with a line of an import. Holds nothing of the line.
struct ImportFault: Error {
  let reason: String
  /// In bytes from the start of the line.
  let offset: Int

  func column(in line: Span<UInt8>) -> Int { JSONText.position(of: offset, in: line).column }

  init(_ reason: String, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  init(_ fault: JSONFault) { self.init(fault.reason.description, at: fault.offset) }
}

/// One line of an import, with all that a store will ask of it checked.
///
/// Secrets: the secret wipes itself.
struct ImportedCredential: ~Copyable {
  let name: String
  let type: String?
  let attributes: [String: String]
  let secret: SecretBytes

  init(_ line: Span<UInt8>) throws(ImportFault) {
    var reader = try ImportReader(line)
    try reader.readObject()
    guard let name = reader.name, reader.hasEncoding else { throw Self.incomplete }
    let (type, attributes) = (reader.type, reader.attributes)
    try Self.check(name, type, attributes)
    let secret = try reader.takeSecret()
    self.name = name
    self.type = type
    self.attributes = attributes
    self.secret = secret
  }

  static let incomplete = ImportFault("name, encoding and secret have to be there", at: 0)

  /// The rules that the daemon has.
  private static func check(_ name: String, _ type: String?, _ attributes: [String: String]) throws(ImportFault) {
    do throws(StoreError) {
      var draft = try CredentialDraft(name: name.utf8Span.span)
      if let type { try draft.setType(type.utf8Span.span) }
      for (key, value) in attributes { try draft.setAttribute(key.utf8Span.span, to: value.utf8Span.span) }
    } catch {
      throw ImportFault(words(error), at: 0)
    }
  }

  private static func words(_ error: StoreError) -> String {
    switch error {
    case .invalidName(let fault):
      WireNameFault(rawValue: fault.rawValue).map { CommandError(WireError.invalidName($0)).message } ?? "no name"
    case .invalidMetadata(let fault):
      WireMetadataFault(rawValue: fault.rawValue).map { CommandError(WireError.invalidMetadata($0)).message } ?? "no attribute"
    default: "no locked memory is left"
    }
  }
}

/// Reads the members of a line, each at most once, none that is not known.
private struct ImportReader: ~Copyable, ~Escapable {
  private enum Key: CaseIterable {
    case name, type, attributes, createdAt, modifiedAt, encoding, secret

    var text: StaticString {
      switch self {
      case .name: "name"
      case .type: "type"
      case .attributes: "attributes"
      case .createdAt: "createdAt"
      case .modifiedAt: "modifiedAt"
      case .encoding: "encoding"
      case .secret: "secret"
      }
    }
  }

  private let line: Span<UInt8>
  private var tokenizer: JSONTokenizer
  private var seen: Set<Key> = []
  private(set) var name: String?
  private(set) var type: String?
  private(set) var attributes: [String: String] = [:]
  private(set) var hasEncoding = false
  private var secret: SecretBytes?

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) throws(ImportFault) {
    self.line = line
    do { tokenizer = try JSONTokenizer(line, maximumDepth: 2) } catch { throw ImportFault(error) }
  }

  @_lifetime(self: copy self)
  mutating func takeSecret() throws(ImportFault) -> SecretBytes {
    switch secret.take() {
    case .some(let secret): return secret
    case .none: throw ImportedCredential.incomplete
    }
  }

  @_lifetime(self: copy self)
  mutating func readObject() throws(ImportFault) {
    guard try next() == .beginObject else { throw ImportFault("expected an object", at: 0) }
    while true {
      switch try next() {
      case .key(let range, let escaped): try readMember(range, escaped)
      case .endObject:
        _ = try next()
        return
      default: throw ImportFault("expected a key", at: tokenizer.offset)
      }
    }
  }

  @_lifetime(self: copy self)
  private mutating func next() throws(ImportFault) -> JSONTokenizer.Token {
    do { return try tokenizer.next() } catch { throw ImportFault(error) }
  }

  @_lifetime(self: copy self)
  private mutating func readMember(_ range: Range<Int>, _ escaped: Bool) throws(ImportFault) {
    guard let key = Key.allCases.first(where: { JSONText.matches(line, range, escaped: escaped, $0.text) }) else {
      throw ImportFault("this key is not known", at: range.lowerBound)
    }
    guard seen.insert(key).inserted else { throw ImportFault("the key is given twice", at: range.lowerBound) }
    switch key {
    case .name: name = try text()
    case .type: type = try text()
    case .attributes: try readAttributes()
    case .createdAt, .modifiedAt: try skipTime()
    case .encoding:
      guard try text() == "base64" else { throw ImportFault("the encoding has to be base64", at: range.lowerBound) }
      hasEncoding = true
    case .secret: try readSecret()
    }
  }

  /// A text that is no secret.
  @_lifetime(self: copy self)
  private mutating func text() throws(ImportFault) -> String {
    let start = tokenizer.offset
    guard case .string(let range, let escaped) = try next() else { throw ImportFault("expected a string", at: start) }
    do { return try JSONText.string(line, range, escaped: escaped) } catch { throw ImportFault(error) }
  }

  @_lifetime(self: copy self)
  private mutating func skipTime() throws(ImportFault) {
    let start = tokenizer.offset
    guard case .number(let range) = try next(), JSONNumber.int64(line.extracting(range)) != nil else {
      throw ImportFault("expected a whole number", at: start)
    }
  }

  @_lifetime(self: copy self)
  private mutating func readAttributes() throws(ImportFault) {
    let start = tokenizer.offset
    guard try next() == .beginObject else { throw ImportFault("expected an object", at: start) }
    while true {
      let token = try next()
      if token == .endObject { return }
      guard case .key(let range, let escaped) = token else { throw ImportFault("expected a key", at: tokenizer.offset) }
      let key: String
      do { key = try JSONText.string(line, range, escaped: escaped) } catch { throw ImportFault(error) }
      let value = try text()
      guard attributes.updateValue(value, forKey: key) == nil else {
        throw ImportFault("the attribute is given twice", at: range.lowerBound)
      }
      if attributes.count > CredentialMetadata.maximumAttributes {
        throw ImportFault("a credential has at most 64 attributes", at: range.lowerBound)
      }
    }
  }

  /// From the line's memory into memory of its own; where something is escaped, through a copy that is locked as well.
  @_lifetime(self: copy self)
  private mutating func readSecret() throws(ImportFault) {
    let start = tokenizer.offset
    guard case .string(let range, let escaped) = try next() else { throw ImportFault("expected a string", at: start) }
    do throws(SecretMemoryError) {
      secret = try Self.decoded(line.extracting(range), escaped)
    } catch {
      throw ImportFault(Self.words(error), at: range.lowerBound)
    }
  }

  private static func decoded(_ encoded: Span<UInt8>, _ escaped: Bool) throws(SecretMemoryError) -> SecretBytes {
    var text = try SecretBytes(copying: encoded)
    if escaped { text.truncate(to: unescape(&text)) }
    var decoded = try SecretBytes(capacity: text.count / 4 * 3)
    try Base64.decode(text.bytes, into: &decoded)
    guard decoded.count <= WireLimits.maximumSecretByteCount else { throw .tooLong(limit: WireLimits.maximumSecretByteCount) }
    return decoded
  }

  private static func unescape(_ text: inout SecretBytes) -> Int {
    var bytes = text.mutableBytes
    return (try? JSONText.unescape(&bytes)) ?? 0
  }

  private static func words(_ error: SecretMemoryError) -> String {
    switch error {
    case .tooLong: "the secret is larger than 1 MiB"
    case .invalidEncoding: "the secret is not base64 with padding"
    default: "no locked memory is left"
    }
  }
}
