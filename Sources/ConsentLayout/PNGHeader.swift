/// The size that a PNG says it has, read before anything is decoded.
///
/// Source: PNG (Third Edition) §5.3, §11.2.1.
public struct PNGHeader: Equatable, Sendable {
  /// The most pixels of one picture, and of all pictures of a paper together.
  public static let maximumPixelCount = 4 << 20, maximumTotalPixelCount = 16 << 20
  /// The most pixels in one direction.
  public static let maximumSide = 8192

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int

  /// Nil for what is no PNG, has no pixels, or has too many.
  public init?(_ png: [UInt8]) {
    // The signature, then the length, the type and 13 bytes of IHDR.
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    guard png.count >= 33, png.starts(with: start) else { return nil }
    func number(_ offset: Int) -> Int { png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
    guard 1...Self.maximumSide ~= width, 1...Self.maximumSide ~= height, width * height <= Self.maximumPixelCount else {
      return nil
    }
  }
}
