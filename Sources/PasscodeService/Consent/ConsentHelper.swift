internal import ConsentCore
internal import PasscodePlatform

/// Reads a folder of forms, in the helper process `passcode-consent`: parsers of Markdown and HTML never see the store's keys.
public struct ConsentHelper: Sendable {
  /// The most that the helper may write, in bytes.
  static let outputLimit = 32 << 20

  private let executable: String?
  private let limit: Duration

  /// The helper beside the running program, or in its `../libexec`.
  ///
  /// - Parameter executable: another one, by its absolute path.
  public init(executable: String? = nil, limit: Duration = .seconds(10)) {
    self.executable = executable ?? (try? ExecutablePath.companion(named: "passcode-consent")) ?? nil
    self.limit = limit
  }

  /// What a folder holds.
  ///
  /// - Throws: in words, why it can't be read.
  func read(_ folder: String, _ origin: ConsentOrigin) throws(ConsentHelperFault) -> ConsentCatalog {
    guard let executable else { throw ConsentHelperFault("the helper passcode-consent is not installed") }
    let bytes: [UInt8]
    let status: ExitStatus
    do throws(PlatformError) {
      (bytes, status) = try Spawn.output(
        of: executable, arguments: ["read", folder, origin.rawValue], limit: Self.outputLimit, within: limit)
    } catch { throw ConsentHelperFault("the helper passcode-consent did not do it: \(error)") }
    guard status == .exited(0) else { throw ConsentHelperFault("the helper passcode-consent broke off") }
    do { return try ConsentCatalog.parse(bytes.span, origin: origin) } catch {
      throw ConsentHelperFault("the helper passcode-consent answered something else")
    }
  }
}

/// Why a folder of forms could not be read.
struct ConsentHelperFault: Error, Equatable, Sendable {
  /// In words: no capital, no full stop.
  let words: String

  init(_ words: String) { self.words = words }
}
