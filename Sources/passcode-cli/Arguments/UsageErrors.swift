internal import StrictJSON

/// What is wrong with a command line: exit 64.
extension CommandError {
  /// - Parameter verb: the verb that was understood, for its usage line.
  static func usage(_ message: String, verb: Verb?) -> CommandError {
    let way = verb.map { "usage: \($0.usage)" } ?? "passcode --help tells"
    return CommandError(64, "Usage", "\(message); \(way)")
  }

  /// A slip, with what was probably meant.
  static func slip(_ message: String, meaning words: [String]) -> CommandError {
    CommandError(64, "Usage", "\(message); did you mean \(words.joined(separator: " or "))?")
  }

  static func unknownVerb(_ words: [String]) -> CommandError {
    let before = Array(words.dropLast())
    let known = Verb.beginning(with: before).map { $0.path[before.count] }
    let prefix = before.isEmpty ? "" : before.joined(separator: " ") + " "
    let word = words.last ?? ""
    let message = "there is no verb '\(prefix)\(word.shownSafely)'"
    guard let nearest = nearestName(to: word, among: known) else {
      let help = before.isEmpty ? "passcode --help" : "passcode \(prefix)--help"
      return CommandError(64, "Usage", "\(message); \(help) lists them")
    }
    return .slip(message, meaning: ["'passcode \(prefix)\(nearest)'"])
  }

  /// A family of verbs, without the verb.
  static func incomplete(_ words: [String]) -> CommandError {
    let verbs = Verb.beginning(with: words).map { $0.path[words.count] }
    let prefix = words.joined(separator: " ")
    return CommandError(
      64, "Usage", "'\(prefix)' wants one of: \(verbs.joined(separator: ", ")); passcode \(prefix) --help tells")
  }

  static func unknownOption(_ text: String, known: [Option], verb: Verb?) -> CommandError {
    let message = "there is no option '\(text.shownSafely)'"
    // An option of another verb is no slip: the way is that verb's help.
    let meant = text.hasPrefix("--") ? probable(String(text.dropFirst(2)), among: known.map(\.long)) : []
    return meant.isEmpty ? .usage(message, verb: verb) : .slip(message, meaning: meant.map { "--" + $0 })
  }

  /// The names that begin so, where they are few: `--passcode` means one of two. Else the nearest.
  private static func probable(_ name: String, among known: [String]) -> [String] {
    let longer = name.count > 2 ? known.filter { $0.hasPrefix(name + "-") } : []
    if (1...3).contains(longer.count) { return longer }
    return nearestName(to: name, among: known).map { [$0] } ?? []
  }
}
