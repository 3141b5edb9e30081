internal import StrictJSON

/// Reads a command line by the table of verbs.
///
/// Options may stand anywhere, `--name value` or `--name=value`; `--` ends them. No word is guessed: a slip gets the
/// nearest word as a hint.
struct ArgumentParser {
  /// What a command line asks for.
  enum Request {
    case run(Invocation)
    case help(words: [String])
    case version
  }

  private var rest: ArraySlice<String>
  private var words: [String] = []
  private var operands: [String] = []
  private var given: [String: [String]] = [:]
  private var verb: Verb?
  private var isAfterOptions = false

  private init(_ arguments: [String]) { rest = arguments[...] }

  /// - Parameter arguments: those after the program's name.
  static func parse(_ arguments: [String]) throws(CommandError) -> Request {
    var parser = ArgumentParser(arguments)
    return try parser.parse()
  }

  /// The options that decide how an error is shown, wherever they stand.
  static func wantsJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

  private mutating func parse() throws(CommandError) -> Request {
    while let word = rest.popFirst() {
      if isAfterOptions || word == "-" || !word.hasPrefix("-") {
        try take(word: word)
      } else if word == "--" {
        isAfterOptions = true
      } else if word.hasPrefix("--") {
        try take(long: String(word.dropFirst(2)))
      } else {
        for letter in word.dropFirst() { try take(short: letter) }
      }
    }
    if has(.help) { return .help(words: verb?.path ?? words) }
    guard let verb else {
      if has(.version) { return .version }
      throw words.isEmpty ? .usage("say what to do", verb: nil) : .incomplete(words)
    }
    try checkOperands(of: verb)
    return .run(Invocation(verb: verb, operands: operands, given: given))
  }

  private func has(_ option: Option) -> Bool { given[option.long] != nil }

  private mutating func take(word: String) throws(CommandError) {
    guard verb == nil else {
      operands.append(word)
      return
    }
    words.append(word)
    let candidates = Verb.beginning(with: words)
    guard !candidates.isEmpty else { throw .unknownVerb(words) }
    verb = candidates.first { $0.path == words }
  }

  private mutating func take(long text: String) throws(CommandError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = known.first(where: { $0.long == parts[0] }) else {
      throw .unknownOption("--" + parts[0], known: known, verb: verb)
    }
    guard option.placeholder != nil else {
      guard parts.count == 1 else { throw .usage("--\(option.long) takes no value", verb: verb) }
      add(option, "")
      return
    }
    if let bare = option.bare, parts.count == 1, rest.first.map({ $0.hasPrefix("-") }) ?? true {
      given[bare] = [""]
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw .usage("--\(option.long) wants a value: \(option.spelling)", verb: verb)
    }
    // An empty path would be the folder one stands in.
    if case .file = option.completion, value.isEmpty {
      throw .usage("--\(option.long) wants a value: \(option.spelling)", verb: verb)
    }
    add(option, value)
  }

  private mutating func take(short letter: Character) throws(CommandError) {
    guard let option = known.first(where: { $0.short == letter }) else {
      throw .unknownOption("-\(letter)", known: known, verb: verb)
    }
    add(option, "")
  }

  private mutating func add(_ option: Option, _ value: String) {
    given[option.long] = option.repeats ? given[option.long, default: []] + [value] : [value]
  }

  private var known: [Option] { verb?.allOptions ?? Option.everywhere + [.version] }

  private func checkOperands(of verb: Verb) throws(CommandError) {
    let required = verb.operands.filter(\.isRequired)
    guard operands.count >= required.count else {
      throw .usage("\(required[operands.count].name) is missing", verb: verb)
    }
    guard operands.count <= verb.operands.count || verb.operands.last?.repeats == true else {
      throw .usage("'\(operands[verb.operands.count].shownSafely)' is too much", verb: verb)
    }
    for (operand, value) in zip(verb.operands, operands) where value.isEmpty {
      if case .file = operand.completion { throw .usage("\(operand.name) is empty", verb: verb) }
    }
  }
}
