import Testing

@testable import SecretMemory

@Suite("BLAKE2b and digests")
struct BLAKE2bTests {
  static let labels: [String: StaticString] = ["test/v1/name": First.label, "test/v1/folder": Second.label]

  @Test("digests are those of an independent implementation")
  func vectors() throws {
    var count = 0
    for fields in try Vectors.lines("blake2b.txt") where fields[0] != "subkey" {
      count += 1
      switch fields[0] {
      case "plain":
        let message = hex(fields[1])
        let digest = BLAKE2b.unkeyed(message.span)
        #expect(digest.bytes == hex(fields[2]))
      case "keyed": #expect(keyed(hex(fields[1]), hex(fields[2])) == hex(fields[3]))
      case "tag":
        let key = try SymmetricKey<First>(copying: hex(fields[1]).span)
        let (first, second) = (hex(fields[3]), hex(fields[4]))
        let label = try #require(Self.labels[fields[2]])
        let tag = BLAKE2b.keyed(label: label, first.span, second.span, using: key)
        #expect(tag.bytes == hex(fields[5]))
      default: Issue.record("unknown class \(fields[0])")
      }
    }
    #expect(count == 47)
  }

  /// The bare keyed hash, without a label.
  private func keyed(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: 32)
    unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe key.withUnsafeBufferPointer { key in
        unsafe BLAKE2b.hash(keyedWith: key.baseAddress, into: out.baseAddress!) { $0.update(message.span) }
      }
    }
    return out
  }

  @Test("no two uses and no two lists of parts share a tag")
  func separation() throws {
    var tags: Set<Digest> = []
    let parts: [[UInt8]] = [[], [0], [1], [1, 2], [1, 2, 3], [UInt8](repeating: 0, count: 8), [1, 0, 0, 0, 0, 0, 0, 0, 9]]
    for byte in [1, 2] as [UInt8] {
      let key = try key(byte, for: First.self)
      for label in [First.label, Second.label] {
        for first in parts {
          for second in parts { tags.insert(BLAKE2b.keyed(label: label, first.span, second.span, using: key)) }
        }
      }
    }
    #expect(tags.count == 2 * 2 * parts.count * parts.count)
  }

  private func made(_ bytes: [UInt8]) -> Digest? { Digest(bytes.span) }

  @Test("a digest takes 32 bytes, no more and no fewer", arguments: [0, 31, 33])
  func digestLength(count: Int) {
    let bytes = [UInt8](repeating: 0, count: count)
    let digest = Digest(bytes.span)
    #expect(digest == nil)
  }

  @Test("a digest gives back its bytes, lent or copied")
  func digestBytes() throws {
    let bytes = [UInt8](100..<132)
    let digest = try #require(made(bytes))
    #expect(digest.bytes == bytes && digest.withBytes { array($0) } == bytes)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try digest.withBytes { (_) throws(Stop) -> Void in throw Stop() } }
  }

  @Test("digests are equal, hash and sort as their bytes do")
  func digestOrder() throws {
    var random = Seeded("digest order")
    var all: [[UInt8]] = (0..<100).map { _ in random.bytes(32) }
    for index in 0..<32 {
      var near = all[0]
      near[index] ^= 0x80
      all.append(near)
    }
    let sorted = all.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(all.compactMap { made($0) }.sorted().map(\.bytes) == sorted)
    #expect(Set(all.compactMap { made($0) }).count == 132)
    for other in all[100...] { #expect(made(all[0]) != made(other)) }
  }
}
