internal import Glibc
internal import PasscodePlatform
internal import StrictJSON

/// The programs beside this one that know formats: what they link would make every verb start slower.
enum PaperHelper {
  static let words =
    "A PDF is made by passcode-consent-pdf, which is installed beside this program, with --layout after a file of yours; or by "
    + "--renderer, a program that reads the paper as JSON from its stdin and writes the PDF to its stdout."

  /// The most bytes of a PDF.
  private static let limit = 256 << 20

  /// A paper as a PDF.
  ///
  /// - Parameters:
  ///   - paper: JSON, see `ConsentPaper`.
  ///   - invocation: says by which layout, or by which program in place of ours.
  /// - Throws: what the program says is wrong with it; 69 where it is not installed.
  static func pdf(of paper: [UInt8], _ invocation: Invocation) throws(CommandError) -> [UInt8] {
    let result: Ended
    if let renderer = invocation.value(.renderer) {
      do throws(PlatformError) { result = try run(try PathParts.absolute(renderer), [], paper) } catch {
        throw CommandError(error)
      }
    } else {
      var arguments: [String] = []
      if let layout = invocation.value(.layout) {
        do throws(PlatformError) { arguments = ["--layout", try PathParts.absolute(layout)] } catch {
          throw CommandError(error)
        }
      }
      result = try run("passcode-consent-pdf", arguments, on: paper)
    }
    guard result.code == 0, result.output.starts(with: "%PDF-".utf8) else {
      let reason = result.message.isEmpty ? "the renderer gave no PDF" : result.message
      throw CommandError([65, 66, 74].contains(result.code) ? result.code : 70, "NoPDF", reason)
    }
    return result.output
  }

  /// How a program ended: its output, the first line of its messages, and its exit code.
  struct Ended {
    let output: [UInt8]
    let message: String
    let code: Int32
  }

  /// Runs a program beside this one to its end.
  static func run(_ name: String, _ arguments: [String], on input: [UInt8]) throws(CommandError) -> Ended {
    do throws(PlatformError) {
      if let program = try ExecutablePath.companion(named: name) { return try run(program, arguments, input) }
    } catch {
      throw CommandError(error)
    }
    throw CommandError(69, "NoHelper", "\(name) is neither beside this program nor in ../libexec; install it there")
  }

  private static func run(_ program: String, _ arguments: [String], _ input: [UInt8]) throws(PlatformError) -> Ended {
    let own = ProcessEnvironment.current()
    let path = own["PATH"].map { ["PATH=\($0)"] } ?? []
    var child = try Spawn.child(program, arguments: arguments, environment: own.forDaemon + path)
    // A helper that ended early tells why by its exit code: it must not end this program by a signal.
    signal(SIGPIPE, SIG_IGN)
    do throws(PlatformError) { try child.input?.writeAll(input.span) } catch .disconnected {}
    child.closeInput()
    let output = try child.output.readAll(limit: limit)
    let words = String(decoding: try child.error.readAll(limit: 1 << 20), as: UTF8.self)
    signal(SIGPIPE, SIG_DFL)
    let name = PathParts.split(program).name
    guard case .exited(let code)? = try child.wait() else { return Ended(output: [], message: "\(name) broke off", code: 70) }
    let line = words.split(separator: "\n").first.map(String.init) ?? ""
    let message = line.hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : line
    return Ended(output: output, message: message, code: code)
  }
}
