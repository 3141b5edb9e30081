/// One verb: what it takes, how it is explained and what it does.
struct Verb: Sendable {
  /// The sections of the help.
  enum Topic: String, CaseIterable, Sendable {
    case passcode = "Passcode"
    case credentials = "Credentials"
    case consent = "Consent"
    case rest = "Policy, daemon and help"
  }

  /// The words that name it: `["get"]`, `["daemon", "stop"]`.
  let path: [String]
  let topic: Topic
  /// One line, in the imperative, without a full stop.
  let summary: String
  var operands: [Operand] = []
  var options: [Option] = []
  /// Options of which one can be given at most.
  var exclusive: [[Option]] = []
  /// Paragraphs for a person.
  var discussion: [String] = []
  /// Command lines that work as they stand, with what each is for.
  var examples: [(command: String, purpose: String)] = []
  let run: @Sendable (Invocation) throws(CommandError) -> Void

  var name: String { path.joined(separator: " ") }

  /// `passcode get NAME [--version N] [--attr K]`.
  var usage: String {
    let operands = operands.map(\.spelling)
    var flags: [String] = []
    for option in options where !(Option.current + Option.new).contains(where: { $0.long == option.long }) {
      let group = exclusive.first { $0.contains { $0.long == option.long } } ?? [option]
      if group[0].long != option.long { continue }
      flags.append("[\(group.map(\.spelling).joined(separator: " | "))]" + (option.repeats ? "…" : ""))
    }
    return (["passcode", name] + operands + flags).joined(separator: " ")
  }

  /// The options of this verb, then those of every verb that it does not have itself.
  var allOptions: [Option] { options + Option.everywhere.filter { common in !options.contains { $0.long == common.long } } }
}

extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] =
    [create, verify, change, check, unlock, lock, status, quickUnlockEnable, quickUnlockDisable, quickUnlockStatus]
    + [recoveryCreate, recoveryRevoke, recover, reset]
    + [put, get, show, list, find, rename, delete, history, attributeSet, attributeUnset, export, importing]
    + [consentList, consentReview, consentShow, consentAccept, consentDecline, consentDefer, consentSign, consentWithdraw]
    + [consentHistory, consentReceipt, consentDocument, consentVerify, consentExport, consentRestart, consentValidate]
    + [policyShow, policyValidate, breachListImport, daemonStatus, daemonStop, daemonRestart, daemonLog]
    + [doctor, report, completions, help, version]

  /// What the first word of a family of verbs stands for.
  static let families: [(word: String, summary: String)] = [
    ("quick-unlock", "Unlock by the OS keyring: turn it on or off"),
    ("recovery", "Make or revoke a recovery key"),
    ("attr", "Change the attributes of a credential"),
    ("consent", "Read and answer consent forms, and see the record of the answers"),
    ("policy", "See the passcode policy, or check a policy file"),
    ("breach-list", "Make a list of passwords from breaches ready for the policy"),
    ("daemon", "See, stop or restart the daemon"),
  ]

  /// The verbs whose names begin with these words.
  static func beginning(with words: [String]) -> [Verb] { all.filter { $0.path.starts(with: words) } }
}
