/// The completion script for fish, made from the table of verbs.
enum FishCompletion {
  static var script: String {
    var lines = [
      "# fish completion for passcode",
      "function __passcode_names",
      "    passcode --no-input --no-autostart --quiet list 2>/dev/null",
      "end",
      "function __passcode_forms",
      "    passcode --no-input --no-autostart --quiet consent list 2>/dev/null | string replace -r ' .*' ''",
      "end",
      "complete -c passcode -f",
    ]
    lines += Option.everywhere.map { "complete -c passcode " + flags($0) }
    for word in BashCompletion.firstWords {
      let summary = Verb.families.first { $0.word == word }?.summary ?? Verb.all.first { $0.path == [word] }?.summary ?? ""
      lines.append("complete -c passcode -n __fish_use_subcommand -a \(word) -d \(quoted(summary))")
    }
    for verb in Verb.all { lines += entries(verb) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entries(_ verb: Verb) -> [String] {
    let condition = verb.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    var lines: [String] = []
    if verb.path.count == 2 {
      let siblings = Verb.beginning(with: [verb.path[0]]).map { $0.path[1] }.joined(separator: " ")
      let missing = "__fish_seen_subcommand_from \(verb.path[0]); and not __fish_seen_subcommand_from \(siblings)"
      lines.append("complete -c passcode -n \(quoted(missing)) -a \(verb.path[1]) -d \(quoted(verb.summary))")
    }
    lines += verb.options.map { "complete -c passcode -n \(quoted(condition)) \(flags($0))" }
    if let operand = verb.operands.first, let values = action(operand.completion) {
      lines.append("complete -c passcode -n \(quoted(condition)) \(values)")
    }
    return lines
  }

  private static func flags(_ option: Option) -> String {
    var text = "-l \(option.long) -d \(quoted(option.help))"
    if let short = option.short { text = "-s \(short) " + text }
    guard option.placeholder != nil else { return text }
    if case .file = option.completion { return text + " -r -F" }
    // -x: a value is wanted, and no file is one.
    text += " -x" + (action(option.completion).map { " " + $0 } ?? "")
    return text
  }

  private static func action(_ completion: Completion) -> String? {
    switch completion {
    case .none: nil
    case .file: "-F"
    case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
    case .credential: "-a '(__passcode_names)'"
    case .form: "-a '(__passcode_forms)'"
    case .verb: "-a \(quoted(BashCompletion.firstWords.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.flatMap { "'\\".contains($0) ? ["\\", $0] : [$0] } + "'"
  }
}
