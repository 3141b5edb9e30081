/// What a PNG's chunks tell before anything is decoded: that they are whole, and how large the picture is.
///
/// Its pixels are still packed: whether they can be unpacked, only a decoder finds out.
///
/// Source: PNG (Third Edition) §5.2, §5.3, §5.5, §5.6, §11.2.
package struct PNGStructure: Equatable, Sendable {
  /// The most pixels in one direction.
  package static let maximumSide = 4096
  /// The most pixels of one picture, and of all pictures of a paper together.
  package static let maximumPixelCount = 4 << 20, maximumTotalPixelCount = 16 << 20

  /// Pixels across.
  package let width: Int
  /// Pixels down.
  package let height: Int

  /// Nil for what is no PNG, is cut off or changed anywhere, goes on behind its end, or has no pixels or too many.
  ///
  /// - Complexity: O(*n*)
  package init?(_ png: [UInt8]) {
    var reader = ChunkReader(png)
    guard png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), let first = reader.next(), first.type == "IHDR",
      let header = Self.header(png[first.data])
    else { return nil }
    (width, height) = (header.width, header.height)
    var (hasPalette, hasPixels, isAfterPixels) = (false, false, false)
    while let chunk = reader.next() {
      if hasPixels, chunk.type != "IDAT" { isAfterPixels = true }
      switch chunk.type {
      case "PLTE":
        if hasPalette || hasPixels || !header.mayHavePalette { return nil }
        guard chunk.data.count % 3 == 0, 1...256 ~= chunk.data.count / 3 else { return nil }
        hasPalette = true
      case "IDAT":
        if isAfterPixels || header.needsPalette && !hasPalette { return nil }
        hasPixels = true
      case "IEND":
        guard hasPixels, chunk.data.isEmpty, chunk.data.upperBound + 4 == png.count else { return nil }
        return
      default:
        // A capital letter is a chunk that a picture can't be shown without.
        if chunk.type.utf8.first! & 0x20 == 0 { return nil }
      }
    }
    return nil
  }

  private typealias Header = (width: Int, height: Int, mayHavePalette: Bool, needsPalette: Bool)

  private static func header(_ bytes: ArraySlice<UInt8>) -> Header? {
    let bytes = Array(bytes)
    guard bytes.count == 13 else { return nil }
    let (width, height) = (number(bytes, 0), number(bytes, 4))
    guard 1...maximumSide ~= width, 1...maximumSide ~= height, width * height <= maximumPixelCount else { return nil }
    let (depth, color) = (bytes[8], bytes[9])
    let depths: [UInt8]
    switch color {
    case 0: depths = [1, 2, 4, 8, 16]
    case 3: depths = [1, 2, 4, 8]
    case 2, 4, 6: depths = [8, 16]
    default: return nil
    }
    guard depths.contains(depth), bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else { return nil }
    return (width, height, color & 2 != 0, color == 3)
  }

  fileprivate static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Reads chunk by chunk: length, type, data, CRC.
private struct ChunkReader {
  private let bytes: [UInt8]
  private var at = 8

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil at the end, and for a chunk that is not whole.
  mutating func next() -> (type: String, data: Range<Int>)? {
    guard at + 12 <= bytes.count else { return nil }
    let count = PNGStructure.number(bytes, at)
    guard count <= bytes.count - at - 12 else { return nil }
    let type = bytes[at + 4..<at + 8]
    let data = at + 8..<at + 8 + count
    guard type.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }),
      PNGStructure.number(bytes, data.upperBound) == Int(CRC32.of(bytes[at + 4..<data.upperBound]))
    else { return nil }
    at = data.upperBound + 4
    return (String(decoding: type, as: UTF8.self), data)
  }
}

/// Source: PNG (Third Edition) Annex D.
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
