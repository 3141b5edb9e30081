internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let attributeSet = Verb(
    path: ["attr", "set"], topic: .credentials, summary: "Set attributes of a credential, and leave the others",
    operands: [.credential, Operand("K=V", "an attribute and its value", repeats: true)], options: Option.current,
    discussion: ["Exit 1 where there is no such credential. With --json: the credential as show has it."],
    examples: [("passcode attr set work/api/token env=prod", "one attribute")],
    run: { invocation throws(CommandError) in
      let pairs = try PutCommand.pairs(Array(invocation.operands.dropFirst()), invocation)
      try AttributeCommand.change(invocation, set: pairs, unset: [])
    })

  static let attributeUnset = Verb(
    path: ["attr", "unset"], topic: .credentials, summary: "Take attributes away from a credential",
    operands: [.credential, Operand("K", "an attribute; one that is not there is no error", repeats: true)],
    options: Option.current,
    discussion: [
      "An attribute that is not there is no error: afterwards it is not there. Exit 1 where there is no such credential. With "
        + "--json: the credential as show has it."
    ],
    examples: [("passcode attr unset work/api/token env", "one attribute")],
    run: { invocation throws(CommandError) in
      try AttributeCommand.change(invocation, set: [:], unset: Array(invocation.operands.dropFirst()))
    })
}

enum AttributeCommand {
  static func change(_ invocation: Invocation, set: [String: String], unset: [String]) throws(CommandError) {
    let session = try Session(invocation)
    let facts = try session.unlocked { client throws(ClientError) in
      try client.changeAttributes(of: invocation.operands[0], set: set, unset: unset)
    }
    if invocation.wantsJSON {
      try Output.json { CredentialReport.write(facts, &$0) }
    } else {
      session.note("'\(facts.name.shownSafely)' has \(Words.count(facts.attributes.count, "attribute", "attributes")) now")
    }
  }
}
