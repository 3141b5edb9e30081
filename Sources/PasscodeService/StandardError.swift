internal import PasscodePlatform

/// Descriptor 2, which nobody closes.
enum StandardError {
  private static let descriptor = FileDescriptor(owning: 2)

  static func write(_ bytes: Span<UInt8>) throws(PlatformError) { try descriptor.writeAll(bytes) }
}
