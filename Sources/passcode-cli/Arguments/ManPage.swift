internal import PasscodeWire

/// The manual as a man page, made from the table of verbs.
///
/// Source: man(7).
enum ManPage {
  static var source: String {
    var lines = [
      ".TH PASSCODE 1 \"\" \"passcode \(Release.version)\" \"User Commands\"",
      ".SH NAME", "passcode \\- keep secrets in an encrypted store that one passcode opens",
      ".SH SYNOPSIS", ".B passcode", ".I VERB", "[\\fIOPERANDS\\fR] [\\fIOPTIONS\\fR]",
      ".SH DESCRIPTION",
    ]
    lines.append(
      escaped(
        "The command talks to the daemon passcoded on a Unix socket, and starts it where none is running. Data goes to "
          + "standard output, everything else to standard error."))
    for topic in Verb.Topic.allCases {
      lines.append(".SH \(topic.rawValue.uppercased())")
      for verb in Verb.all where verb.topic == topic { lines += entry(verb) }
    }
    lines.append(".SH OPTIONS OF EVERY VERB")
    lines += Option.everywhere.flatMap(item)
    return (lines + exitCodes + environment).joined(separator: "\n") + "\n"
  }

  private static func entry(_ verb: Verb) -> [String] {
    var lines = [".SS \"\(escaped(verb.usage))\"", escaped(verb.summary) + "."]
    for paragraph in verb.discussion { lines += [".PP", escaped(paragraph)] }
    for operand in verb.operands { lines += [".TP", ".I \(escaped(operand.name))", escaped(operand.help)] }
    lines += verb.options.flatMap(item)
    for example in verb.examples {
      lines += [".PP", escaped(example.purpose) + ":", ".PP", ".EX", escaped("  " + example.command), ".EE"]
    }
    return lines
  }

  private static func item(_ option: Option) -> [String] {
    [".TP", ".B \(escaped(HelpText.row(option)[0]))", escaped(option.help)]
  }

  private static var exitCodes: [String] {
    let codes = [
      ("0", "done"), ("1", "not found, or the answer is no"), ("2", "cancelled at a prompt"), ("64", "usage"),
      ("65", "refused data: the policy is not met, malformed input"), ("66", "no such input file"), ("69", "no daemon"),
      ("70", "internal fault"), ("73", "exists already"), ("74", "input or output failed: disk full, unreadable"),
      ("75", "try again later or another way: no store, locked, locked out, must change, busy, nobody to ask"),
      ("76", "protocol"), ("77", "wrong passcode, denied, consent missing"),
      ("78", "configuration: policy file, corrupt store"),
      (
        "128 + N",
        "ended by signal N, as the shell reports it: 129 hang-up, 130 Ctrl-C, 141 nobody reads the output, 143 SIGTERM"
      ),
    ]
    return [".SH EXIT STATUS"] + codes.flatMap { [".TP", ".B \($0.0)", $0.1] }
  }

  private static var environment: [String] {
    let variables = [
      ("PASSCODED_SOCKET", "the daemon's socket, as --socket"), ("PASSCODED_STORE", "the store's file, as --store"),
      ("PASSCODED_PINENTRY", "the absolute path of the pinentry that a daemon which is started now asks with"),
      ("XDG_RUNTIME_DIR", "passcoded/socket in it is the socket"), ("XDG_DATA_HOME", "passcoded/store.db in it is the store"),
      ("NO_COLOR", "set to anything: no colour"),
    ]
    return [".SH ENVIRONMENT"] + variables.flatMap { [".TP", ".B \($0.0)", escaped($0.1)] }
  }

  /// Hyphens that are meant to be typed, backslashes, and lines that would be requests.
  private static func escaped(_ text: String) -> String {
    let body = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : $0 == "\"" ? "\\(dq" : String($0) }.joined()
    return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&" + body : body
  }
}
