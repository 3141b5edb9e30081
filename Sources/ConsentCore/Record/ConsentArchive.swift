public import SecretMemory
internal import StrictJSON

/// A whole log in one file: the journal of before the store, and what is handed out for others to verify.
///
/// JSON: `log` (64 hexadecimal digits), `entries` (each as the text that is digested), `texts` (each in base64) and, where the
/// log is signed, `head` with `count`, `digest`, `signature` and `publicKey`.
public struct ConsentArchive: Hashable, Sendable {
  /// The largest archive, in bytes.
  public static let maximumByteCount = 128 << 20

  /// The log.
  public let log: ConsentLog
  /// The signed head; nil for a log that was never signed.
  public let head: ConsentHead?
  /// The key that signed it. Whether it is the store's is for the reader to know, by its fingerprint.
  public let key: Ed25519.PublicKey?

  /// An archive of a log.
  ///
  /// - Parameter key: whose signature `head` is.
  public init(_ log: ConsentLog, head: ConsentHead? = nil, key: Ed25519.PublicKey? = nil) {
    self.log = log
    self.head = head
    self.key = key
  }

  /// Checks everything in it, the signature too where there is one.
  ///
  /// - Throws: the first fault.
  public func verify() throws(ConsentLogFault) -> VerifiedConsentLog {
    if let key { return try log.verify(.head(head, key: key)) }
    return try log.verify(.unsigned)
  }

  /// The file.
  public var json: [UInt8] {
    var json = JSONWriter(ByteSink(), pretty: true)
    json.beginObject()
    json.write("log", log.id.hex)
    json.key("entries")
    json.beginArray()
    for entry in log.entries { json.string(String(decoding: entry, as: UTF8.self)) }
    json.endArray()
    json.key("texts")
    json.beginArray()
    for (_, bytes) in log.attachments.sorted(by: { $0.key < $1.key }) { json.string(Base64Text.encode(bytes)) }
    json.endArray()
    if let head, let key {
      json.key("head")
      json.beginObject()
      json.write("count", head.tip.count)
      json.write("digest", head.tip.digest.hex)
      json.write("signature", Base64Text.encode(head.signature))
      json.write("publicKey", Base64Text.encode(key.bytes))
      json.endObject()
    }
    json.endObject()
    return json.finish().bytes
  }

  /// Reads a file; nil for anything that is no archive. Nothing in it is believed: ``verify()`` checks it.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= Self.maximumByteCount, let root = try? JSONDocument.parse(bytes, maximumDepth: 4),
      let fields = ArchiveFields(root, ["log", "entries", "texts", "head"]),
      let id = fields.string("log").flatMap({ Digest(hex: $0) }),
      let entries = fields.strings("entries"), let texts = fields.strings("texts"), entries.count <= ConsentLog.maximumCount
    else { return nil }
    var attachments: [Digest: [UInt8]] = [:]
    for text in texts {
      guard let bytes = Base64Text.decode(text.utf8), bytes.count <= ConsentLog.maximumAttachmentByteCount else { return nil }
      attachments[SHA256.digest(bytes.span)] = bytes
    }
    let log = ConsentLog(id: id, entries: entries.map { Array($0.utf8) }, attachments: attachments)
    guard let node = fields["head"] else {
      self.init(log)
      return
    }
    guard let signed = Self.signature(node, id) else { return nil }
    self.init(log, head: signed.head, key: signed.key)
  }

  private static func signature(_ node: JSONNode, _ log: Digest) -> (head: ConsentHead, key: Ed25519.PublicKey)? {
    guard let fields = ArchiveFields(node, ["count", "digest", "signature", "publicKey"]),
      case .integer(let count)? = fields["count"]?.value, 0...Int64(ConsentLog.maximumCount) ~= count,
      let digest = fields.string("digest").flatMap({ Digest(hex: $0) }),
      let signature = fields.string("signature").flatMap({ Base64Text.decode($0.utf8) }),
      let keyBytes = fields.string("publicKey").flatMap({ Base64Text.decode($0.utf8) }),
      let key = Ed25519.PublicKey(keyBytes.span)
    else { return nil }
    let tip = ConsentTip(log: log, count: Int(count), digest: digest)
    return (ConsentHead(tip: tip, signature: signature), key)
  }
}

/// The members of an object that has no others than those that are known.
private struct ArchiveFields {
  private let members: [String: JSONNode]

  init?(_ node: JSONNode, _ known: Set<String>) {
    guard case .object(let all) = node.value, all.allSatisfy({ known.contains($0.key) }) else { return nil }
    members = Dictionary(uniqueKeysWithValues: all.lazy.map { ($0.key, $0.node) })
  }

  subscript(key: String) -> JSONNode? { members[key] }

  func string(_ key: String) -> String? { if case .string(let text)? = members[key]?.value { text } else { nil } }

  func strings(_ key: String) -> [String]? {
    guard case .array(let nodes)? = members[key]?.value else { return nil }
    let texts = nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    return texts.count == nodes.count ? texts : nil
  }
}
