/// Makes PNGs, whole ones and others.
public enum PNG {
  /// What every PNG starts with.
  public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A picture of one colour, not packed: 300 pixels across at most.
  ///
  /// - Parameter shade: its red, so that two of them differ.
  public static func plain(width: Int = 1, height: Int = 1, shade: UInt8 = 0) -> [UInt8] {
    var row: [UInt8] = [0]
    for _ in 0..<width { row += [shade, 0, 0, 255] }
    let count = UInt16(row.count)
    let counts = [count, ~count].flatMap { number -> [UInt8] in [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
    var packed: [UInt8] = [0x78, 0x01]
    var rows: [UInt8] = []
    // Stored blocks, each a row.
    for number in 1...height {
      packed.append(number == height ? 1 : 0)
      packed += counts + row
      rows += row
    }
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in rows {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return whole(width: UInt32(width), height: UInt32(height), packed: packed + bytes(b << 16 | a))
  }

  /// Chunks that are whole, whatever the pixels are.
  public static func whole(width: UInt32, height: UInt32, packed: [UInt8] = [0]) -> [UInt8] {
    signature + header(width: width, height: height) + chunk("IDAT", packed) + chunk("IEND", [])
  }

  /// The chunk that tells the size; 8 bits and red, green, blue, alpha.
  public static func header(width: UInt32, height: UInt32, depth: UInt8 = 8, color: UInt8 = 6) -> [UInt8] {
    chunk("IHDR", bytes(width) + bytes(height) + [depth, color, 0, 0, 0])
  }

  /// A chunk with its length and its CRC.
  public static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    var crc = ~UInt32(0)
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return bytes(UInt32(data.count)) + body + bytes(~crc)
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
  }
}
