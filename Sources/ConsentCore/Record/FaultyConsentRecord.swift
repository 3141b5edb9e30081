internal import StrictJSON

/// The file in which a record lies that was set aside as faulty: its rows as they were found, and what is wrong with them.
///
/// JSON: `faulty` (the fault, in words), `log` where there was a row of that kind (`log`, `deposited`, `signed`, `digest`,
/// `signature`, `publicKey`, `sealedSeed`), `entries` (each `sequence` and `entry`, or `bytes` where it is no text) and `texts`
/// (each `digest` and `bytes`). Digests are hexadecimal, bytes in base64. Nothing was left out and nothing mended.
public struct FaultyConsentRecord: Hashable, Sendable {
  /// What was wrong, in words.
  public let fault: String
  /// How many entries were found.
  public let count: Int

  /// Reads a file; nil for anything else.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= ConsentArchive.maximumByteCount, let root = try? JSONDocument.parse(bytes, maximumDepth: 4),
      case .object(let members) = root.value,
      case .string(let fault)? = members.first(where: { $0.key == "faulty" })?.node.value,
      case .array(let entries)? = members.first(where: { $0.key == "entries" })?.node.value
    else { return nil }
    self.fault = fault
    count = entries.count
  }
}
