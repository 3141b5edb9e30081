import SecretMemory
import TestSupport
import Testing

@testable import PasscodeCore

@Suite struct RecordTests {
  private static func text(_ limit: Int, _ random: inout SplitMix64) -> [UInt8] {
    let alphabet: [Unicode.Scalar] = ["a", "z", "0", " ", "=", "\u{E9}", "\u{4E2D}", "\u{1F511}"]
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...min(limit / 4, 40), using: &random) {
      text += Array(String(Character(alphabet.randomElement(using: &random)!)).utf8)
    }
    return text
  }

  @Test("metadata that is written and read again is the same, its attributes in byte order of their keys")
  func metadata() throws {
    var random = SplitMix64.announced()
    for _ in 0..<200 {
      let name = Array("n".utf8) + Self.text(1000, &random)
      let type = Self.text(255, &random)
      var attributes: [[UInt8]: [UInt8]] = [:]
      var draft = try CredentialDraft(name: name.span)
      try draft.setType(type.span)
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let (key, value) = (Array("k".utf8) + Self.text(100, &random), Self.text(4000, &random))
        attributes[key] = value
        try draft.setAttribute(key.span, to: value.span)
      }
      if let gone = attributes.keys.randomElement(using: &random) {
        attributes[gone] = nil
        try draft.removeAttribute(gone.span)
      }
      let plain = try draft.encoded(created: 5, modified: -6, secretByteCount: 7)
      guard let read = CredentialMetadata(plain) else { throw TestFailure("not read") }
      #expect(Array(copying: read.name) == name && Array(copying: read.type) == type)
      #expect(read.created == 5 && read.modified == -6 && read.secretByteCount == 7)
      let keys = (0..<read.attributeCount).map { index in Array(copying: read.attributeKey(index)) }
      #expect(keys == attributes.keys.sorted { $0.lexicographicallyPrecedes($1) })
      for (index, key) in keys.enumerated() {
        #expect(Array(copying: read.attributeValue(index)) == attributes[key])
        #expect(read.indexOfAttribute(key.span) == index)
      }
      #expect(read.indexOfAttribute("not there".utf8Bytes.span) == nil)
      // A draft from what was read writes the same.
      let again = try CredentialDraft(read).encoded(created: 5, modified: -6, secretByteCount: 7)
      guard let second = CredentialMetadata(again) else { throw TestFailure("not read") }
      #expect(second.attributeCount == read.attributeCount && Array(copying: second.name) == name)
    }
  }

  @Test("no bytes at random, and no changed metadata, make the reader read beyond its bytes")
  func hostileMetadata() throws {
    var random = SplitMix64.announced()
    var draft = try CredentialDraft(name: "a/b".utf8Bytes.span)
    try draft.setAttribute("k".utf8Bytes.span, to: "v".utf8Bytes.span)
    let plain = try draft.encoded(created: 0, modified: 0, secretByteCount: 0)
    let good = Array(copying: plain.bytes)
    for round in 0..<4000 {
      var bytes = round % 2 == 0 ? good : randomBytes(Int.random(in: 0...80, using: &random), &random)
      if !bytes.isEmpty {
        for _ in 0..<3 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
      }
      if round % 3 == 0 { bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))) }
      guard let read = CredentialMetadata(try SecretBytes(copying: bytes.span)) else { continue }
      var total = read.name.count + read.type.count
      for index in 0..<read.attributeCount { total += read.attributeKey(index).count + read.attributeValue(index).count }
      #expect(total <= bytes.count)
    }
  }

  @Test("a sealed part opens as what it was: of this record, part, revision and store")
  func sealedParts() throws {
    var random = SplitMix64.announced()
    let storeKey = try StoreKey.random()
    let otherKey = try StoreKey.random()
    let store = StoreID.random()
    let keys = try StoreKeys(storeKey, of: store)
    let others = [try StoreKeys(otherKey, of: store), try StoreKeys(storeKey, of: .random())]
    for count in [0, 1, 123, 124, 125, 1000, 65_536, 1 << 20] {
      let plain = randomBytes(count, &random)
      let record = RecordID.random()
      let part = try keys.seal(plain.span, part: .secret, of: record, revision: 9)
      #expect(part.body.count == 24 + Padding.paddedCount(count + 4) && part.tag.count == 16)
      let opened = try keys.open(part.body.span, tag: part.tag.span, part: .secret, of: record, revision: 9)
      #expect(Array(copying: opened.bytes) == plain)
      func isRefused(
        _ body: [UInt8], _ tag: [UInt8], _ part: RecordPart, _ record: RecordID, _ revision: Int64, _ keys: StoreKeys
      ) -> Bool {
        do { _ = try keys.open(body.span, tag: tag.span, part: part, of: record, revision: revision) } catch {
          return error == .corrupt(.record)
        }
        return false
      }
      var (badBody, badTag) = (part.body, part.tag)
      badBody[Int.random(in: 0..<badBody.count, using: &random)] ^= 1
      badTag[Int.random(in: 0..<16, using: &random)] ^= 1
      #expect(isRefused(badBody, part.tag, .secret, record, 9, keys) && isRefused(part.body, badTag, .secret, record, 9, keys))
      #expect(
        isRefused(part.body, part.tag, .metadata, record, 9, keys)
          && isRefused(part.body, part.tag, .secret, .random(), 9, keys))
      #expect(isRefused(part.body, part.tag, .secret, record, 8, keys) && isRefused([], [], .secret, record, 9, keys))
      for other in others { #expect(isRefused(part.body, part.tag, .secret, record, 9, other)) }
    }
  }

  @Test("tags of names, folders and attributes never meet, nor do those of another store")
  func tags() throws {
    let keys = try StoreKeys(try StoreKey.random(), of: .random())
    let others = try StoreKeys(try StoreKey.random(), of: .random())
    var tags: Set<LookupTag> = []
    var count = 0
    for keys in [keys, others] {
      for name in ["a", "a/b", "ab", "b"] {
        tags.insert(keys.tag(ofName: name.utf8Bytes.span))
        tags.insert(keys.tag(ofFolder: name.utf8Bytes.span))
        count += 2
      }
      for (key, value) in [("a", "b"), ("ab", ""), ("", "ab"), ("b", "a")] {
        tags.insert(keys.tag(ofAttribute: key.utf8Bytes.span, value.utf8Bytes.span))
        count += 1
      }
    }
    #expect(tags.count == count)
    let folders = keys.tags(ofFoldersOf: "a/b/c".utf8Bytes.span)
    #expect(folders == [keys.tag(ofFolder: "a".utf8Bytes.span), keys.tag(ofFolder: "a/b".utf8Bytes.span)])
    #expect(keys.tags(ofFoldersOf: "a".utf8Bytes.span).isEmpty)
  }

  @Test(
    "names are paths",
    arguments: [
      ("a", nil), ("work/aws/prod", nil), ("...", nil), ("a b", nil), ("\u{4E2D}/\u{1F511}", nil), (" ", nil), (".a/b.", nil),
      ("\u{A0}", nil), ("", .empty), ("/", .emptyPart), ("/a", .emptyPart), ("a/", .emptyPart), ("a//b", .emptyPart),
      (".", .dotPart),
      ("a/./b", .dotPart), ("..", .dotPart), ("a/..", .dotPart), ("a\n", .controlCharacter), ("a\u{7F}", .controlCharacter),
      ("a\u{80}", .controlCharacter), ("a\u{9F}b", .controlCharacter), ("\0", .controlCharacter),
    ] as [(String, NameFault?)])
  func names(_ name: String, _ fault: NameFault?) { #expect(CredentialName.fault(in: name.utf8Bytes.span) == fault) }

  @Test("a name has up to 1,024 bytes of UTF-8")
  func nameBounds() {
    let longest = [UInt8](repeating: 0x61, count: 1024)
    #expect(CredentialName.fault(in: longest.span) == nil)
    let tooLong = longest + [0x61]
    #expect(CredentialName.fault(in: tooLong.span) == .tooLong)
    for bad in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
      #expect(CredentialName.fault(in: bad.span) == .notUTF8)
    }
    for (folder, fault) in [
      ("", nil), ("a", nil), ("a/", nil), ("a/b/", nil), ("/", .emptyPart), ("a//", .emptyPart), ("..", .dotPart),
    ]
      as [(String, NameFault?)]
    { #expect(CredentialName.fault(inFolder: folder.utf8Bytes.span) == fault, "\(folder)") }
  }
}

extension String {
  var utf8Bytes: [UInt8] { Array(utf8) }
}

extension Array where Element == UInt8 {
  init(copying span: Span<UInt8>) { self = span.indices.map { span[$0] } }
}
