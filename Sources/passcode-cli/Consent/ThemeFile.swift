internal import ConsentCore
internal import PasscodePlatform
internal import StrictJSON

/// How forms look: the file of `--layout`, else the user's own, else the machine's.
enum ThemeFile {
  private static let name = "consent-theme.json"

  /// The theme for the terminal. One that is faulty is an error where the command line names it, else only told: it keeps nobody
  /// from reading a form.
  static func theme(_ session: Session) throws(CommandError) -> ConsentTheme {
    guard let path = path(session.invocation) else { return ConsentTheme() }
    do throws(CommandError) { return try read(path) } catch {
      if session.invocation.has(.layout) { throw error }
      session.note("warning: \(error.message); forms are shown without it")
      return ConsentTheme()
    }
  }

  /// Its file; nil where there is none.
  static func path(_ invocation: Invocation) -> String? {
    if let path = invocation.value(.layout) { return path }
    let folders = [(try? UserDirectories.current())?.config, "/etc/passcoded"].compactMap { $0 }
    return folders.map { $0 + "/" + name }.first { ((try? Files.status(of: $0)) ?? nil) != nil }
  }

  private static func read(_ path: String) throws(CommandError) -> ConsentTheme {
    let bytes: [UInt8]
    do throws(PlatformError) { bytes = try Files.readRegular(path, limit: ConsentTheme.maximumByteCount) } catch {
      if case .tooLong = error {
        throw CommandError(65, "FaultyTheme", "\(path.shownSafely) is larger than \(ConsentTheme.maximumByteCount >> 10) KiB")
      }
      throw CommandError(66, "NoInput", "\(error)")
    }
    do throws(ConsentFileFault) { return try ConsentTheme.parse(bytes.span, name: path.shownSafely) } catch {
      throw CommandError(65, "FaultyTheme", "\(error)")
    }
  }
}
