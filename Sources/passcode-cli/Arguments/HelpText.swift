/// The help, as a person reads it at a terminal.
enum HelpText {
  private static let width = 88

  /// - Parameter words: a verb, a family of verbs, or nothing for the whole.
  static func lines(for words: [String], style: Style) throws(CommandError) -> [String] {
    if words.isEmpty { return overview(style) }
    let verbs = Verb.beginning(with: words)
    if let verb = verbs.first(where: { $0.path == words }) { return detail(verb, style) }
    guard !verbs.isEmpty else { throw .unknownVerb(words) }
    return family(words, verbs, style)
  }

  private static func overview(_ style: Style) -> [String] {
    var lines = [
      "passcode keeps your secrets in an encrypted store that one passcode opens.",
      "",
      style.bold("Usage:") + " passcode VERB [OPERANDS] [OPTIONS]",
      "",
      style.bold("First steps:"),
    ]
    lines += columns([
      ["passcode create", "set a passcode; your store is made with it"],
      ["passcode put work/api/token", "keep a secret"],
      ["passcode get work/api/token", "have it back"],
      ["passcode lock", "close the store until the passcode is given again"],
    ])
    for topic in Verb.Topic.allCases {
      lines += ["", style.bold("\(topic.rawValue):")]
      lines += columns(Verb.all.filter { $0.topic == topic }.map { [$0.name, $0.summary] })
    }
    lines += ["", style.bold("Options of every verb:")] + columns(Option.everywhere.map(row))
    return lines + ["", "passcode VERB --help explains a verb; passcode help --man prints the manual."]
  }

  private static func family(_ words: [String], _ verbs: [Verb], _ style: Style) -> [String] {
    let name = words.joined(separator: " ")
    let summary = Verb.families.first { [$0.word] == words }?.summary ?? ""
    return [summary + ".", "", style.bold("Usage:") + " passcode \(name) VERB [OPTIONS]", ""]
      + columns(verbs.map { [$0.name, $0.summary] })
      + ["", "passcode \(name) VERB --help explains a verb."]
  }

  private static func detail(_ verb: Verb, _ style: Style) -> [String] {
    var lines = [verb.summary + ".", "", style.bold("Usage:") + " " + verb.usage]
    for paragraph in verb.discussion { lines += [""] + Words.wrap(paragraph, width: width) }
    if !verb.operands.isEmpty {
      lines += ["", style.bold("Operands:")] + columns(verb.operands.map { [$0.name, $0.help] })
    }
    if !verb.options.isEmpty { lines += ["", style.bold("Options:")] + columns(verb.options.map(row)) }
    let common = verb.allOptions.dropFirst(verb.options.count)
    lines += ["", style.bold("Options of every verb:")] + columns(common.map(row))
    if !verb.examples.isEmpty {
      lines += ["", style.bold("Examples:")]
      for example in verb.examples { lines += ["  " + style.dim("# " + example.purpose), "  " + example.command] }
    }
    return lines
  }

  static func row(_ option: Option) -> [String] {
    [(option.short.map { "-\($0), " } ?? "") + option.spelling, option.help]
  }

  /// Two columns; a long text goes on under its own column.
  private static func columns(_ rows: [[String]]) -> [String] {
    let first = min(30, rows.map { $0[0].count }.max() ?? 0) + 4
    return rows.flatMap { row in
      let text = Words.wrap(row[1], width: width, indent: first)
      let label = Words.pad("  " + row[0], first)
      guard let head = text.first else { return [label] }
      if label.count > first { return [label] + text }
      return [label + head.dropFirst(first)] + text.dropFirst()
    }
  }
}
