internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let check = Verb(
    path: ["check"], topic: .passcode, summary: "Judge a candidate against the policy, and store nothing",
    options: Option.new + Option.current,
    discussion: [
      "Ends with 0 where the candidate would be taken, else with 65 and each requirement that is not met. It never tells "
        + "whether the candidate was a passcode before."
    ],
    examples: [("passcode check --passcode-file ./candidate --json", "the whole verdict, for a program")],
    run: { invocation throws(CommandError) in try CheckCommand.run(invocation) })
}

enum CheckCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .passcodeFD, .passcodeFile, .newPasscodeFD, .newPasscodeFile)
    let session = try Session(invocation)
    let candidate = try candidate(session)
    let verdict = try session.call { client throws(ClientError) in try client.check(candidate) }
    if invocation.wantsJSON {
      try Output.json { write(verdict, &$0) }
    } else if verdict.isAccepted {
      let style = Style(for: 1)
      try Output.lines(
        verdict.requirements.map { style.green("✓ ") + Output.shown($0.text) } + [strength(verdict)].compactMap { $0 })
    }
    if !verdict.isAccepted { throw CommandError(WireError.policyUnmet(verdict.unmet)) }
  }

  private static func candidate(_ session: Session) throws(CommandError) -> SecretBytes {
    if let given = try GivenPasscode.new(session.invocation, takesEither: true) { return given }
    guard let dialogue = try session.terminal() else { throw .nobodyToAsk }
    return try LiveChecklist(session: session, prompt: "Candidate: ", start: [], style: dialogue.style).ask(dialogue)
  }

  private static func strength(_ verdict: PasscodeVerdict) -> String? {
    verdict.strength.map { "strength: \(LiveChecklist.words($0))" }
  }

  private static func write(_ verdict: PasscodeVerdict, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("accepted")
    writer.bool(verdict.isAccepted)
    writer.key("requirements")
    writer.requirements(verdict.requirements)
    writer.key("unmet")
    writer.requirements(verdict.unmet)
    writer.key("strength")
    if let strength = verdict.strength {
      writer.beginObject()
      writer.key("score")
      writer.integer(strength.score)
      writer.key("bits")
      writer.number(strength.bits)
      writer.key("words")
      writer.string(LiveChecklist.words(strength))
      writer.endObject()
    } else {
      writer.null()
    }
    writer.endObject()
  }
}

extension JSONWriter where Sink: ~Copyable {
  mutating func requirements(_ requirements: [WireRequirement]) {
    beginArray()
    for requirement in requirements {
      beginObject()
      key("id")
      string(requirement.id)
      key("text")
      string(requirement.text)
      key("isSatisfied")
      bool(requirement.isSatisfied)
      endObject()
    }
    endArray()
  }
}
