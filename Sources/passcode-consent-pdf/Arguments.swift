/// What the program was asked for.
enum Arguments {
  case render(layout: String?)
  case help
  /// What is wrong.
  case unusable(String)

  static let usage = """
    usage: passcode-consent-pdf [--layout FILE] <PAPER.json >PAPER.pdf

    Makes a PDF of one paper: JSON as ConsentPaper writes it, at most 16 MiB. A layout is a theme file. Exit 0 and a whole PDF, or
    a message and 64 (usage), 65 (the paper or the layout is faulty, or has letters that no font has), 66 (the layout can't be
    read), 69 (the process is not safe), 71 (the system), 74 (input or output).

    """

  init(_ words: [String]) {
    self = .render(layout: nil)
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "-h", "--help": self = .help
      case "--layout":
        guard let path = rest.popFirst() else {
          self = .unusable("--layout needs a file")
          return
        }
        self = .render(layout: path)
      default:
        self = .unusable("unknown argument \"\(word.unicodeScalars.map { $0.value < 32 ? "?" : String($0) }.joined())\"")
        return
      }
    }
  }
}
