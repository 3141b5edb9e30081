internal import ConsentCore
internal import StrictJSON

/// Asks a signer's name and fields, line by line.
struct SignerQuestions {
  let dialogue: Dialogue
  let place: ConsentSignature

  /// - Returns: nil where the person gave up.
  func ask(at instant: ZonedInstant) throws(CommandError) -> GivenSignature? {
    var given = GivenSignature(id: place.id, signedAt: instant)
    if place.requiresName {
      guard try askNames(&given) else { return nil }
    }
    for field in place.fields {
      guard let answer = try askField(field) else { return nil }
      if !answer.isEmpty { given.fields[field.id] = answer }
    }
    return given
  }

  private func askNames(_ given: inout GivenSignature) throws(CommandError) -> Bool {
    if place.names == .any { dialogue.say("One of the two names is enough.") }
    while true {
      guard let first = try dialogue.line("Given name: "), let last = try dialogue.line("Family name: ") else { return false }
      given.givenName = first.isEmpty ? nil : first
      given.familyName = last.isEmpty ? nil : last
      let lacks = place.names == .both ? first.isEmpty || last.isEmpty : first.isEmpty && last.isEmpty
      if lacks {
        dialogue.say(place.names == .both ? "Both names are needed." : "A name is needed.")
        continue
      }
      if first.isEmpty || last.isEmpty { return true }
      guard let isRight = try askOrder(&given) else { return false }
      if isRight { return true }
    }
  }

  /// The order is the person's, not the language's: what the letters tell is only proposed.
  ///
  /// - Returns: nil where the person gave up; false where the names are to be typed again.
  private func askOrder(_ given: inout GivenSignature) throws(CommandError) -> Bool? {
    var order = ConsentNameOrder.of((given.givenName ?? "") + (given.familyName ?? ""))
    while true {
      let names = [given.givenName ?? "", given.familyName ?? ""]
      let printed = (order == .familyFirst ? names.reversed() : names).joined(separator: " ")
      dialogue.say("It will be printed as: \(printed)")
      guard let answer = try dialogue.line("Enter keeps it, t turns the order, e enters it again: ") else { return nil }
      switch answer.lowercased() {
      case "", "y":
        given.nameOrder = order
        return true
      case "t": order = order == .givenFirst ? .familyFirst : .givenFirst
      case "e": return false
      default: break
      }
    }
  }

  private func askField(_ field: ConsentSignerField) throws(CommandError) -> String? {
    while true {
      guard let answer = try dialogue.line("\(field.label)\(field.isRequired ? "" : " (optional)"): ") else { return nil }
      if !answer.isEmpty || !field.isRequired { return answer }
    }
  }
}
