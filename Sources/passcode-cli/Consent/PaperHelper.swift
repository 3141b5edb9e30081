internal import ConsentPDF
internal import PasscodePlatform
internal import StrictJSON

/// The programs beside this one that know formats: what they link would make every verb start slower.
enum PaperHelper {
  static let words =
    "A PDF is made by passcode-consent-pdf, which is installed beside this program, with --layout after a theme of yours; or by "
    + "--renderer, a program that reads the paper as JSON from its stdin and writes the PDF to its stdout."

  /// After so long a program is ended.
  private static let secondsLimit = 60

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
      if let layout = ThemeFile.path(invocation) {
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
    let process = RendererProcess(
      program, arguments: arguments, environment: own.forDaemon + path, limit: .seconds(secondsLimit))
    let name = PathParts.split(program).name
    let ended: (heard: RendererWords, status: ExitStatus)
    do throws(PlatformError) { ended = try process.run(input) } catch .timedOut {
      return Ended(output: [], message: "\(name) was not done within \(secondsLimit) seconds", code: 70)
    }
    guard case .exited(let code) = ended.status else { return Ended(output: [], message: "\(name) broke off", code: 70) }
    let line = ended.heard.words.split(separator: "\n").first.map(String.init) ?? ""
    let message = line.hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : line
    return Ended(output: ended.heard.output, message: message, code: code)
  }
}
