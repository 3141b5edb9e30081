/// What is wrong with blocks in JSON, and where.
public struct BlockFault: Error, Hashable, Sendable {
  /// The place, in bytes from the start of the text that was parsed.
  public let offset: Int
  /// What is wrong, lower case and without a full stop.
  public let message: String
  /// The known name that was probably meant.
  public let suggestion: String?

  /// A fault.
  public init(offset: Int, message: String, suggestion: String? = nil) {
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
  }
}
