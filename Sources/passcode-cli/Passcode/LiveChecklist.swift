internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

/// The requirements under the prompt, which tick as the passcode is typed, and how strong it is in words.
///
/// The daemon judges: no rule is known here. Lines are drawn below the prompt, and the cursor goes back to it.
struct LiveChecklist {
  let session: Session
  let prompt: String
  /// The requirements before anything was typed.
  let start: [WireRequirement]
  let style: Style

  /// Asks for a new passcode.
  func ask(_ dialogue: Dialogue) throws(CommandError) -> SecretBytes {
    guard dialogue.canRedraw else { return try askPlainly(dialogue) }
    let first = start.map { WireRequirement(id: $0.id, text: $0.text, isSatisfied: false) }
    let empty = lines(first, strength: nil, missing: nil, columns: dialogue.terminal.columns)
    defer { dialogue.clearBelow() }
    // The first drawing is the prompt itself: it appears once the terminal has stopped to echo, never before.
    return try dialogue.secret(Self.drawing(prompt, empty)) { (text: borrowing SecretBytes) throws(PlatformError) in
      let lines = self.lines(judging: text, columns: dialogue.terminal.columns)
      try dialogue.terminal.write(Self.drawing(prompt, lines))
    }
  }

  /// A terminal that can't move the cursor gets the list once.
  private func askPlainly(_ dialogue: Dialogue) throws(CommandError) -> SecretBytes {
    for requirement in start { dialogue.say("  - \(requirement.text)") }
    return try dialogue.secret(prompt)
  }

  private func lines(judging text: borrowing SecretBytes, columns: Int) -> [String] {
    let isEmpty = text.isEmpty
    // A daemon that is busy for a moment leaves the list as it was at the start; the flow itself judges in the end.
    guard !isEmpty, let verdict = try? session.client.check(text, isStillTyped: true) else {
      let unticked = start.map { WireRequirement(id: $0.id, text: $0.text, isSatisfied: false) }
      return lines(unticked, strength: nil, missing: isEmpty ? nil : unticked.count, columns: columns)
    }
    let hidden = verdict.unmet.filter { rule in !verdict.requirements.contains { $0.id == rule.id } }
    // What is asked only about an entry is listed unticked, and is not missing yet.
    return lines(verdict.requirements + hidden, strength: verdict.strength, missing: verdict.unmet.count, columns: columns)
  }

  /// - Parameter missing: how many requirements are not met; nil before anything was typed.
  private func lines(
    _ requirements: [WireRequirement], strength: WireStrength?, missing: Int?, columns: Int
  ) -> [String] {
    var lines = requirements.map { requirement in
      let text = Self.fit("  \(requirement.isSatisfied ? "✓" : "·") \(requirement.text.shown)", columns)
      return requirement.isSatisfied ? style.green(text) : text
    }
    var summary = "  strength: \(missing == nil ? "–" : strength.map(Self.words) ?? "not measured")"
    if let missing { summary += missing == 0 ? "; nothing is missing" : "; \(missing) still missing" }
    lines.append(style.dim(Self.fit(summary, columns)))
    return lines
  }

  /// The prompt with lines under it, and the cursor behind the prompt; in one piece, so that nothing flickers.
  private static func drawing(_ prompt: String, _ lines: [String]) -> String {
    let below = lines.map { "\r\n\u{1b}[K\($0)" }.joined()
    return "\r\(prompt)\u{1b}[K\(below)\u{1b}[J\u{1b}[\(lines.count)A\r\u{1b}[\(prompt.count)C"
  }

  /// A line that wrapped would throw the redrawing off by one.
  private static func fit(_ text: String, _ columns: Int) -> String {
    text.count < columns ? text : String(text.prefix(max(1, columns - 2))) + "…"
  }

  /// The meter: a score of 0 to 4 as words.
  static func words(_ strength: WireStrength) -> String {
    switch strength.score {
    case ...0: "very weak"
    case 1: "weak"
    case 2: "fair"
    case 3: "good"
    default: "strong"
    }
  }
}

extension Dialogue {
  /// Takes away what stands below, and the line that Enter went to stays.
  func clearBelow() { if canRedraw { try? terminal.write("\u{1b}[J") } }
}
