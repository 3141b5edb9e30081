import SecretMemory
import TestSupport
import Testing

@testable import PasscodeCore

@Suite struct CodingTests {
  @Test("integers are little-endian, and what is written is read again")
  func integers() {
    var writer = ByteWriter()
    writer.integer(UInt8(1))
    writer.integer(UInt16(0x0203))
    writer.integer(UInt32(0x0405_0607))
    writer.integer(Int64(-2))
    writer.text("é")
    #expect(writer.bytes == [1, 3, 2, 7, 6, 5, 4, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC3, 0xA9])
    let bytes = writer.bytes
    var reader = ByteReader(bytes.span)
    #expect(reader.integer(UInt8.self) == 1)
    #expect(reader.integer(UInt16.self) == 0x0203)
    #expect(reader.integer(UInt32.self) == 0x0405_0607)
    #expect(reader.integer(Int64.self) == -2)
    #expect(reader.raw(3) == nil && reader.remaining == 2)
    #expect(reader.raw(-1) == nil && reader.integer(UInt32.self) == nil)
    #expect(reader.raw(2) == [0xC3, 0xA9] && reader.remaining == 0)
  }

  @Test("random integers of every width come back")
  func randomIntegers() {
    var random = SplitMix64.announced()
    for _ in 0..<500 {
      let values = (UInt16.random(in: 0 ... .max, using: &random), Int64.random(in: .min ... .max, using: &random))
      var writer = ByteWriter()
      writer.integer(values.0)
      writer.integer(values.1)
      let bytes = writer.bytes
      var reader = ByteReader(bytes.span)
      #expect(reader.integer(UInt16.self) == values.0 && reader.integer(Int64.self) == values.1)
    }
  }

  @Test("an identifier is 16 bytes or 32 digits, and nothing else")
  func identifiers() {
    let id = StoreID.random()
    #expect(StoreID(hex: id.description) == id && StoreID(hex: id.description.uppercased()) == id)
    for bad in [
      "", String(id.description.dropLast()), id.description + "0", String(repeating: "g", count: 32),
      "é" + id.description.dropLast(2),
    ] {
      #expect(StoreID(hex: bad) == nil)
    }
    #expect(StoreID([UInt8](repeating: 0, count: 15)) == nil && StoreID(nil) == nil)
  }

  @Test("lookup tags order as their bytes do")
  func tagOrder() {
    var random = SplitMix64.announced()
    for _ in 0..<300 {
      let (a, b) = (randomBytes(16, &random), randomBytes(16, &random))
      let (tagA, tagB) = (LookupTag(a.span)!, LookupTag(b.span)!)
      #expect(tagA.bytes == a && (tagA < tagB) == a.lexicographicallyPrecedes(b))
    }
  }

  @Test("padded sizes are at least 128, never smaller than what they hold, at most an eighth larger, and few")
  func padding() {
    var sizes: Set<Int> = []
    var last = 0
    for count in Array(0...2000) + stride(from: 2000, through: 70_000, by: 13) {
      let padded = Padding.paddedCount(count)
      #expect(padded >= max(128, count) && padded >= last && (count <= 128 || padded - count <= count / 8))
      last = padded
      sizes.insert(padded)
    }
    #expect(sizes.count < 150)
    // Source: the paper's own function, worked by hand.
    for (count, padded) in [
      (128, 128), (129, 144), (200, 208), (255, 256), (1000, 1024), (1025, 1088), (1 << 20, 1 << 20),
      ((1 << 20) + 4, 1_081_344),
    ] {
      #expect(Padding.paddedCount(count) == padded)
    }
  }
}
