/// Why a text is no credential name.
public enum NameFault: String, Sendable {
  case empty, tooLong, notUTF8, emptyPart, dotPart, controlCharacter
}

/// The rules of credential names: paths such as `work/aws/prod`.
///
/// Non-empty UTF-8 of at most 1,024 bytes; no empty, `.` or `..` part; no control character. Compared byte by byte.
public enum CredentialName {
  /// The longest name, in bytes.
  public static let maximumByteCount = 1024

  /// What is wrong with a name; nil for a good one. O(n), no allocation.
  public static func fault(in name: Span<UInt8>) -> NameFault? {
    if name.isEmpty { return .empty }
    if name.count > maximumByteCount { return .tooLong }
    guard (try? UTF8Span(validating: name)) != nil else { return .notUTF8 }
    var start = 0
    for index in 0...name.count {
      if index < name.count {
        if isControl(name, at: index) { return .controlCharacter }
        if name[index] != UInt8(ascii: "/") { continue }
      }
      if let fault = fault(inPart: name.extracting(start..<index)) { return fault }
      start = index + 1
    }
    return nil
  }

  /// What is wrong with a folder, given with or without a slash at its end; nil for a good one. The empty folder is the root.
  public static func fault(inFolder folder: Span<UInt8>) -> NameFault? {
    let trimmed = withoutTrailingSlash(folder)
    return trimmed.isEmpty && folder.isEmpty ? nil : fault(in: trimmed)
  }

  /// A folder without the slash that people put at its end.
  @_lifetime(copy folder)
  public static func withoutTrailingSlash(_ folder: Span<UInt8>) -> Span<UInt8> {
    guard folder.count > 1, folder[folder.count - 1] == UInt8(ascii: "/") else { return folder }
    return folder.extracting(droppingLast: 1)
  }

  /// The lengths of the name's ancestor folders, longest last: for `a/b/c`, those of `a` and `a/b`.
  static func ancestorLengths(of name: Span<UInt8>) -> [Int] {
    name.indices.filter { name[$0] == UInt8(ascii: "/") }
  }

  private static func fault(inPart part: Span<UInt8>) -> NameFault? {
    let dot = UInt8(ascii: ".")
    if part.isEmpty { return .emptyPart }
    if part.count == 1 && part[0] == dot { return .dotPart }
    if part.count == 2 && part[0] == dot && part[1] == dot { return .dotPart }
    return nil
  }

  /// C0, DEL and the two-byte C1 controls: general category Cc.
  private static func isControl(_ name: Span<UInt8>, at index: Int) -> Bool {
    let byte = name[index]
    if byte < 0x20 || byte == 0x7F { return true }
    return byte == 0xC2 && index + 1 < name.count && name[index + 1] < 0xA0
  }
}
