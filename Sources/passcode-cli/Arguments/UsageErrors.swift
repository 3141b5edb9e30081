internal import StrictJSON

/// What is wrong with a command line: exit 64.
extension CommandError {
  /// - Parameter verb: the verb that was understood, for its usage line.
  static func usage(_ message: String, verb: Verb?) -> CommandError {
    let way = verb.map { "usage: \($0.usage)" } ?? "passcode --help tells"
    return CommandError(64, "Usage", "\(message); \(way)")
  }

  static func unknownVerb(_ words: [String]) -> CommandError {
    let before = Array(words.dropLast())
    let known = Verb.beginning(with: before).map { $0.path[before.count] }
    let prefix = before.isEmpty ? "" : before.joined(separator: " ") + " "
    let word = words.last ?? ""
    guard let nearest = nearestName(to: word, among: known) else {
      let help = before.isEmpty ? "passcode --help" : "passcode \(prefix)--help"
      return CommandError(64, "Usage", "there is no verb '\(prefix)\(word.shownSafely)'; \(help) lists them")
    }
    return CommandError(
      64, "Usage", "there is no verb '\(prefix)\(word.shownSafely)'; did you mean 'passcode \(prefix)\(nearest)'?")
  }

  /// A family of verbs, without the verb.
  static func incomplete(_ words: [String]) -> CommandError {
    let verbs = Verb.beginning(with: words).map { $0.path[words.count] }
    let prefix = words.joined(separator: " ")
    return CommandError(
      64, "Usage", "'\(prefix)' wants one of: \(verbs.joined(separator: ", ")); passcode \(prefix) --help tells")
  }

  static func unknownOption(_ text: String, known: [Option], verb: Verb?) -> CommandError {
    let name = text.drop { $0 == "-" }
    let shown = text.shownSafely
    // An option of another verb is no slip: the way is that verb's help.
    if let nearest = nearestName(to: String(name), among: known.map(\.long)), text.hasPrefix("--") {
      return .usage("there is no option '\(shown)'; did you mean --\(nearest)?", verb: verb)
    }
    return .usage("there is no option '\(shown)'", verb: verb)
  }
}

extension String {
  /// The text for a message: without control characters, which could move the cursor, and not endless.
  var shownSafely: String {
    let visible = unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "\u{fffd}" : $0 }
    return String(String.UnicodeScalarView(visible)) + (unicodeScalars.count > 80 ? "…" : "")
  }
}
