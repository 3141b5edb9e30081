/// What an option's value or an operand is, for shell completions.
enum Completion: Sendable {
  case none
  case file
  case words([String])
  /// A credential's name in the unlocked store.
  case credential
  /// A consent form in force.
  case form
  /// A verb, for `help`.
  case verb
}

/// One option of the command line: how it is written, and what it is for.
struct Option: Sendable {
  let long: String
  let short: Character?
  /// What stands for its value in the help; nil for a flag.
  let placeholder: String?
  let repeats: Bool
  let help: String
  let completion: Completion
  /// The flag that it is without a value; nil where it needs one.
  var bare: String?

  static func flag(_ long: String, _ help: String, short: Character? = nil) -> Option {
    Option(long: long, short: short, placeholder: nil, repeats: false, help: help, completion: .none)
  }

  static func value(
    _ long: String, _ placeholder: String, _ help: String, repeats: Bool = false, completion: Completion = .none
  ) -> Option {
    Option(long: long, short: nil, placeholder: placeholder, repeats: repeats, help: help, completion: completion)
  }

  /// As it is written: `--attr K=V`.
  var spelling: String { placeholder.map { "--\(long) \($0)" } ?? "--\(long)" }
}

/// One operand of a verb.
struct Operand: Sendable {
  let name: String
  let isRequired: Bool
  let repeats: Bool
  let help: String
  let completion: Completion

  init(_ name: String, _ help: String, isRequired: Bool = true, repeats: Bool = false, completion: Completion = .none) {
    self.name = name
    self.isRequired = isRequired
    self.repeats = repeats
    self.help = help
    self.completion = completion
  }

  /// As a usage line writes it: `NAME`, `[FOLDER]`, `K=V…`.
  var spelling: String {
    let text = name + (repeats ? "…" : "")
    return isRequired ? text : "[\(text)]"
  }
}
