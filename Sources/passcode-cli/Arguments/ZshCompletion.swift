/// The completion script for zsh, made from the table of verbs.
enum ZshCompletion {
  static var script: String {
    """
    #compdef passcode

    _passcode_names() {
      local -a names
      names=(${(f)"$(passcode --no-input --no-autostart --quiet list 2>/dev/null)"})
      compadd -a names
    }

    _passcode_forms() {
      local -a forms
      forms=(${${(f)"$(passcode --no-input --no-autostart --quiet consent list 2>/dev/null)"}%% *})
      compadd -a forms
    }

    _passcode() {
      local state
      local -a verbs common
      common=(
    \(Option.everywhere.map { "    " + argument($0) }.joined(separator: "\n"))
      )
      _arguments -C $common \(argument(.version)) '1:verb:->verb' '*::operand:->operand'
      case $state in
        verb)
          verbs=(
    \(firstWords)
          )
          _describe verb verbs ;;
        operand)
          case $words[1] in
    \(singles)
    \(families)
          esac ;;
      esac
    }

    _passcode "$@"

    """
  }

  private static var firstWords: String {
    BashCompletion.firstWords.map { word in
      let summary = Verb.families.first { $0.word == word }?.summary ?? Verb.all.first { $0.path == [word] }?.summary ?? ""
      return "        " + entry(word, summary)
    }.joined(separator: "\n")
  }

  private static var singles: String {
    Verb.all.filter { $0.path.count == 1 }
      .map { "        \($0.path[0])) \(arguments(of: $0)) ;;" }.joined(separator: "\n")
  }

  private static var families: String {
    Verb.families.map { family in
      let verbs = Verb.beginning(with: [family.word])
      let entries = verbs.map { entry($0.path[1], $0.summary) }.joined(separator: " ")
      let cases = verbs.map { "            \($0.path[1])) \(arguments(of: $0)) ;;" }.joined(separator: "\n")
      return """
                \(family.word))
                  if ((CURRENT == 2)); then
                    verbs=(\(entries))
                    _describe verb verbs
                  else
                    shift words
                    ((CURRENT--))
                    case $words[1] in
        \(cases)
                    esac
                  fi ;;
        """
    }.joined(separator: "\n")
  }

  private static func arguments(of verb: Verb) -> String {
    let operands = verb.operands.enumerated().map { index, operand in
      let position = operand.repeats ? "*" : "\(index + 1)"
      return quoted("\(position):\(escaped(operand.name)):\(action(operand.completion))")
    }
    return (["_arguments $common"] + verb.options.map(argument) + operands).joined(separator: " ")
  }

  private static func argument(_ option: Option) -> String {
    let repeats = option.repeats ? "*" : ""
    let text = escaped(option.help)
    guard let placeholder = option.placeholder else { return quoted("\(repeats)--\(option.long)[\(text)]") }
    return quoted("\(repeats)--\(option.long)=[\(text)]:\(escaped(placeholder)):\(action(option.completion))")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: ""
    case .file: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .credential: "_passcode_names"
    case .form: "_passcode_forms"
    case .verb: "(\(BashCompletion.firstWords.joined(separator: " ")))"
    }
  }

  private static func entry(_ word: String, _ summary: String) -> String { quoted("\(word):\(escaped(summary))") }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\[]:".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
