internal import PasscodePlatform
internal import SecretMemory
internal import StrictJSON

/// The person at the terminal: questions, answers, and what is said in between. Goes to /dev/tty, whatever 0, 1 and 2 are.
final class Dialogue: Sendable {
  let terminal: Terminal
  let style: Style
  /// Whether lines can be redrawn.
  let canRedraw: Bool

  /// - Throws: `noTerminal`.
  init(environment: ProcessEnvironment = .current()) throws(PlatformError) {
    terminal = try Terminal.open(environment: environment)
    style = Style(environment: environment)
    canRedraw = (environment["TERM"] ?? "dumb") != "dumb"
  }

  /// Says something, on a line. A terminal that is gone is noticed by the next question.
  func say(_ text: String) { try? terminal.write(text.shown + "\n") }

  /// Says a line that drives no terminal as it is: in one of a form's texts a character that turns the direction may be meant.
  func sayExactly(_ text: String) { try? terminal.write(text + "\n") }

  /// Says what went wrong.
  func say(_ error: CommandError) { for line in error.lines { say(line) } }

  /// Asks for a secret, without echo.
  func secret(_ prompt: String) throws(CommandError) -> SecretBytes {
    try asking { () throws(PlatformError) in try terminal.readSecret(prompt: prompt) }
  }

  /// Asks for a secret, and lends what is typed after each change.
  func secret(
    _ prompt: String, onChange: (borrowing SecretBytes) throws(PlatformError) -> Void
  ) throws(CommandError) -> SecretBytes {
    try asking { () throws(PlatformError) in try terminal.readSecret(prompt: prompt, onChange: onChange) }
  }

  /// Asks for a credential's value: up to 1 MiB.
  func value(_ prompt: String, isMultiline: Bool) throws(CommandError) -> SecretBytes {
    try asking { () throws(PlatformError) in
      try terminal.readSecret(prompt: prompt, limit: 1 << 20, isMultiline: isMultiline)
    }
  }

  /// Asks for a line that is shown as it is typed, without blanks around it; nil where the person gives up.
  func line(_ prompt: String) throws(CommandError) -> String? {
    do {
      let answer = try terminal.readLine(prompt: prompt.shown, limit: 1024)
      return String(answer.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    } catch .cancelled {
      return nil
    } catch {
      throw CommandError(error)
    }
  }

  /// Asks for yes or no; Enter alone is no.
  func agrees(_ question: String) throws(CommandError) -> Bool {
    do {
      let answer = try terminal.readLine(prompt: "\(question) [y/N] ", limit: 100)
      return ["y", "yes"].contains(answer.lowercased())
    } catch {
      throw CommandError(error)
    }
  }

  private func asking(_ body: () throws(PlatformError) -> SecretBytes) throws(CommandError) -> SecretBytes {
    do { return try body() } catch { throw CommandError(error) }
  }
}
