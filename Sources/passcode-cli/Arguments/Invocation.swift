/// A command line that was understood.
struct Invocation: Sendable {
  let verb: Verb
  let operands: [String]
  /// The values of each option that was given, by its long name; one empty text for each time a flag was.
  let given: [String: [String]]

  func has(_ option: Option) -> Bool { given[option.long] != nil }

  /// The value of an option; the last one where it was given again.
  func value(_ option: Option) -> String? { given[option.long]?.last }

  func values(_ option: Option) -> [String] { given[option.long] ?? [] }

  /// The value of an option as a whole number, at least `minimum`.
  func number(_ option: Option, atLeast minimum: Int = 0) throws(CommandError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= minimum, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .usage("--\(option.long) wants a number of at least \(minimum)", verb: verb)
    }
    return number
  }

  /// Refuses options that exclude each other.
  func requireOne(of options: Option...) throws(CommandError) { try requireOne(of: options) }

  func requireOne(of options: [Option]) throws(CommandError) {
    let names = options.filter(has).map { "--\($0.long)" }
    guard names.count > 1 else { return }
    throw .usage("\(names.joined(separator: " and ")) exclude each other", verb: verb)
  }

  var isQuiet: Bool { has(.quiet) }
  var wantsJSON: Bool { has(.json) }
  var allowsInput: Bool { !has(.noInput) }
}
