internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let create = Verb(
    path: ["create"], topic: .passcode, summary: "Set a passcode and make your store",
    options: [.quickUnlock, .noQuickUnlock, .acceptWipe] + Option.new + Option.current,
    exclusive: [[.quickUnlock, .noQuickUnlock]],
    discussion: [
      "On a terminal the requirements are ticked as you type, with how strong the passcode is; nothing that you type is "
        + "shown. It is asked for twice. Nothing is stored before the last step.",
      "Where there are consent forms to answer, they come first; a denial of a required one ends with 77, and nothing is made. Off "
        + "the terminal the error names the command lines that answer them.",
      "From a file or a descriptor the passcode is read once; the options of either name serve.",
      "Exit 73 where there is a store already, 65 where the policy is not met.",
    ],
    examples: [
      ("passcode create", "at the terminal"),
      ("passcode create --passcode-file ./passcode --no-quick-unlock", "in a script"),
    ],
    run: { invocation throws(CommandError) in try CreateCommand.run(invocation) })
}

enum CreateCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .passcodeFD, .passcodeFile, .newPasscodeFD, .newPasscodeFile)
    let session = try Session(invocation)
    let dialogue = try session.terminal()
    if session.status.state == .absent { try askConsent(session, dialogue) }
    let screen = try FlowRunner(session: session, dialogue: dialogue).create()
    let status = try session.call { client throws(ClientError) in try client.status() }
    if invocation.wantsJSON {
      try Output.json { StatusReport.write(status, &$0) }
    } else {
      for line in try farewell(session, screen, status) { session.note(line) }
    }
  }

  /// Shows the forms that are to be answered first, where there is somebody to show them to.
  ///
  /// - Throws: 77 for a denial, 2 for a cancel; nothing is made then.
  private static func askConsent(_ session: Session, _ dialogue: Dialogue?) throws(CommandError) {
    let forms = try session.consentForms()
    ConsentListCommand.warnOfOwn(forms, session)
    let asked = forms.forms.filter(\.isAsked)
    guard let dialogue, !asked.isEmpty else { return }
    let (end, records) = try ConsentReviewCommand.ask(asked, session, dialogue)
    for record in records { session.note(ConsentWords.outcome(record)) }
    if let error = ConsentReviewCommand.refusal(end, records) { throw error.saying("\(error.message); no store was made") }
  }

  /// Where the store is, how it locks, and what to try next.
  private static func farewell(
    _ session: Session, _ screen: WireStep, _ status: WireStatus
  ) throws(CommandError) -> [String] {
    let policy = try session.call { client throws(ClientError) in try client.policy() }
    var lines = ["your store is \(status.storePath), and it is unlocked"]
    lines.append(LockWords.sentence(policy: policy))
    if let reason = screen.quickUnlockReason { lines.append(Words.message(reason)) }
    if status.quickUnlock { lines.append("quick unlock is on; passcode quick-unlock disable turns it off") }
    if status.deviceKey {
      lines.append("a key outside the store is mixed in, in no backup: without it the passcode opens nothing")
    }
    lines.append("against a forgotten passcode: passcode recovery create prints a key to put away")
    lines.append("try next: passcode put work/api/token, then passcode get work/api/token")
    return lines
  }
}

/// How the store locks, by the policy in force.
enum LockWords {
  static func sentence(policy: PolicyInForce) -> String {
    let root = try? JSONDocument.parse(policy.json.span)
    let idle = number("lockTimeoutSeconds", root) ?? 0
    let hours = number("maxUnlockedHours", root) ?? 0
    var parts: [String] = []
    if idle > 0 { parts.append("after \(Words.wait(seconds: idle)) without use") }
    if hours > 0 { parts.append("after \(hours) h in any case") }
    let byItself = parts.isEmpty ? "it never locks by itself" : "it locks \(parts.joined(separator: ", "))"
    return byItself + "; passcode lock locks it now"
  }

  private static func number(_ key: String, _ root: JSONNode?) -> Int? {
    guard case .object(let members) = root?.value, let node = members.first(where: { $0.key == key })?.node,
      case .integer(let number) = node.value
    else { return nil }
    return Int(number)
  }
}
