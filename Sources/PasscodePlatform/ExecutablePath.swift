/// Where this program is installed.
public enum ExecutablePath {
  /// The absolute path of the running program.
  ///
  /// - Throws: `file` where /proc is missing.
  public static func current() throws(PlatformError) -> String { try Files.linkTarget(of: "/proc/self/exe") }

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
