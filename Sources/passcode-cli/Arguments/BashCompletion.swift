/// The completion script for bash, made from the table of verbs.
enum BashCompletion {
  static var script: String {
    let values = Set((Option.everywhere + Verb.all.flatMap(\.options)).filter { $0.placeholder != nil }.map { "--\($0.long)" })
    // An option that takes a value for one verb only is looked up by verb; `--version` is a flag before the verb.
    let skipped = values.sorted().joined(separator: "|")
    return """
      # bash completion for passcode
      _passcode_names() {
        # Names are compared, never expanded: one may hold $( ).
        local name
        while IFS= read -r name; do
          [[ $name == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
        done < <(passcode --no-input --no-autostart --quiet list 2>/dev/null)
      }

      _passcode_forms() {
        local form rest
        while read -r form rest; do
          [[ $form == "$1"* ]] && COMPREPLY+=("$form")
        done < <(passcode --no-input --no-autostart --quiet consent list 2>/dev/null)
      }

      _passcode() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb='' word index
        COMPREPLY=()
        for ((index = 1; index < COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          case $word in
            \(skipped)) [[ -n $verb || $word != --version ]] && ((index++)) ;;
            -*) ;;
            *) case $verb in '' | \(families)) verb=${verb:+$verb }$word ;; esac ;;
          esac
        done
        case "$verb $previous" in
      \(valueCases)
        esac
        if [[ $current == -* ]]; then
          case $verb in
      \(optionCases)
            *) word='\(spellings(Option.everywhere + [.version]))' ;;
          esac
          mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")
          return
        fi
        case $verb in
      \(operandCases)
        esac
      }
      complete -F _passcode passcode

      """
  }

  private static var families: String { Verb.families.map(\.word).joined(separator: " | ") }

  private static func spellings(_ options: [Option]) -> String { options.map { "--\($0.long)" }.joined(separator: " ") }

  private static var valueCases: String {
    var lines: [String] = []
    for verb in Verb.all {
      for option in verb.options where option.placeholder != nil {
        lines.append("    '\(verb.name) --\(option.long)') \(action(option.completion)); return ;;")
      }
    }
    for option in Option.everywhere where option.placeholder != nil {
      lines.append("    *' --\(option.long)') \(action(option.completion)); return ;;")
    }
    return lines.joined(separator: "\n")
  }

  private static var optionCases: String {
    Verb.all.map { "      '\($0.name)') word='\(spellings($0.allOptions))' ;;" }.joined(separator: "\n")
  }

  private static var operandCases: String {
    var lines = ["    '') \(action(.words(firstWords))) ;;"]
    for family in Verb.families {
      let words = Verb.beginning(with: [family.word]).map { $0.path[1] }
      lines.append("    \(family.word)) \(action(.words(words))) ;;")
    }
    for verb in Verb.all {
      guard let operand = verb.operands.first else { continue }
      lines.append("    '\(verb.name)') \(action(operand.completion)) ;;")
    }
    return lines.joined(separator: "\n")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: ":"
    case .file: #"mapfile -t COMPREPLY < <(compgen -f -- "$current")"#
    case .words(let words): #"mapfile -t COMPREPLY < <(compgen -W '\#(words.joined(separator: " "))' -- "$current")"#
    case .credential: #"_passcode_names "$current""#
    case .form: #"_passcode_forms "$current""#
    case .verb: action(.words(firstWords))
    }
  }

  /// The first words of all verbs, each once.
  static var firstWords: [String] {
    var words: [String] = []
    for verb in Verb.all where !words.contains(verb.path[0]) { words.append(verb.path[0]) }
    return words
  }
}
