/// Where this program is installed.
public enum ExecutablePath {
  /// The absolute path of the running program.
  ///
  /// - Throws: `file` where /proc is missing.
  public static func current() throws(PlatformError) -> String { try Files.linkTarget(of: "/proc/self/exe") }

  /// The documents that were installed with the running program: a `file` URL of `../share/doc/passcoded` from its directory.
  ///
  /// - Returns: nil where there are none.
  public static var documents: String? {
    guard let program = try? current() else { return nil }
    let prefix = PathParts.split(PathParts.split(program).directory).directory
    let folder = UserDirectories.join(prefix, "share/doc/passcoded")
    guard let status = try? Files.status(of: folder), status.kind == .directory else { return nil }
    return "file://" + folder.utf8.map(percentEncoded).joined()
  }

  /// Source: RFC 3986 §2.1 and §2.3.
  private static func percentEncoded(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      return String(Unicode.Scalar(byte))
    default:
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
  }

  /// A program of this product: beside the running one, else in `../libexec/passcoded` or `../libexec` from there.
  ///
  /// - Returns: nil where it is in none of them.
  /// - Throws: `file` where /proc is missing.
  public static func companion(named name: String) throws(PlatformError) -> String? {
    let directory = PathParts.split(try current()).directory
    let prefix = PathParts.split(directory).directory
    let candidates = [
      UserDirectories.join(directory, name), UserDirectories.join(prefix, "libexec/passcoded/" + name),
      UserDirectories.join(prefix, "libexec/" + name),
    ]
    for candidate in candidates {
      if try Files.status(of: candidate)?.kind == .file { return candidate }
    }
    return nil
  }
}
