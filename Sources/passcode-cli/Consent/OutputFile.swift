internal import Glibc
internal import PasscodePlatform
internal import StrictJSON

/// A file that a verb writes: whole or not at all, for its owner only, and never over another without being told.
struct OutputFile {
  private let path: String
  private let replaces: Bool

  /// - Parameter path: `-` is stdout; nil gives nil.
  init?(_ path: String?, _ invocation: Invocation) throws(CommandError) {
    guard let path else { return nil }
    if path == "-", Output.isTerminal {
      throw .usage("the file would fill the terminal; name one, or pipe it on", verb: invocation.verb)
    }
    self.path = path
    replaces = invocation.has(.force)
    // Before anything is made: the answer would be the same afterwards.
    try refuseWhatStands()
  }

  /// What is no regular file is nothing to replace: a link leads elsewhere, and a device is not the file's to end.
  private func refuseWhatStands() throws(CommandError) {
    if path == "-" { return }
    guard let status = (try? Files.status(of: path, followingLink: false)) ?? nil else { return }
    if status.kind != .file { throw CommandError(73, "Exists", "\(path.shownSafely) is no regular file, and stays") }
    if !replaces { throw Self.exists(path) }
  }

  func write(_ bytes: [UInt8], _ session: Session) throws(CommandError) {
    if path == "-" { return try Output.write(bytes.span) }
    try refuseWhatStands()
    do {
      try AtomicFile.write(bytes.span, to: path, overwriting: replaces)
    } catch .file(_, let error) where error.errno == EEXIST {
      throw Self.exists(path)
    } catch {
      throw CommandError(error)
    }
    session.note("wrote \(path.shownSafely)")
  }

  /// Data that is JSON: byte for byte where a program reads it, and unable to drive a terminal on one.
  static func data(_ json: [UInt8]) throws(CommandError) {
    let text = Output.isTerminal ? Array(String(decoding: json, as: UTF8.self).shownAsJSON.utf8) : json
    try Output.write(text.span)
    if text.last != UInt8(ascii: "\n") { try Output.line("") }
  }

  private static func exists(_ path: String) -> CommandError {
    CommandError(73, "Exists", "\(path.shownSafely) exists; --force replaces it")
  }
}
