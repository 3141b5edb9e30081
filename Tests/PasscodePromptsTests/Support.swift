import Glibc
import PasscodePlatform
import PasscodePrompts
import SecretMemory
import TestSupport

/// A ``PromptOutcome`` that a test can compare; its passcodes are no secrets.
enum Answer: Equatable, Sendable {
  case passcode(String)
  case confirmed
  case notConfirmed
  case cancelled
  case timedOut
  case unavailable(PromptUnavailable)
  case crashed(PromptCrash)

  init(_ outcome: consuming PromptOutcome) {
    switch consume outcome {
    case .passcode(let secret):
      self = .passcode(unsafe secret.bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) })
    case .confirmed: self = .confirmed
    case .notConfirmed: self = .notConfirmed
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .unavailable(let reason): self = .unavailable(reason)
    case .crashed(let crash): self = .crashed(crash)
    }
  }

  var isTextFileBusy: Bool {
    if case .unavailable(.notStarted(.file(_, let error))) = self { error.errno == ETXTBSY } else { false }
  }
}

/// A terminal with a program in it that asks.
final class Desk {
  let terminal: PseudoTerminal
  let peer: PeerProcess
  let pid: Int32

  init() throws {
    terminal = try PseudoTerminal()
    try terminal.start(Command("/bin/sh", ["-c", "echo \"[$$]\"; exec /bin/sleep 100000"]))
    try terminal.expect("]")
    let text = terminal.transcriptText
    guard let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]"),
      let pid = Int32(text[text.index(after: open)..<close])
    else { throw TestFailure("no pid in \(text)") }
    self.pid = pid
    peer = PeerProcess(credentials: PeerCredentials(uid: geteuid(), gid: getegid(), pid: pid), process: nil)
    while peer.name != "sleep" { usleep(1000) }
  }

  func client(_ variables: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8"]) -> PromptClient {
    PromptClient(surroundings: PromptSurroundings(variables: variables, terminal: terminal.path), process: peer)
  }
}

/// A prompt that goes on while the test does.
struct RunningPrompt {
  let cancellation: PromptCancellation
  private let work: Background<Answer>

  init(
    _ program: String, _ request: PromptRequest, _ client: PromptClient, judges: CandidateJudges = CandidateJudges()
  ) throws {
    Signals.ignoreBrokenPipes()
    let cancellation = try PromptCancellation()
    self.cancellation = cancellation
    work = Background {
      let pinentry = Pinentry(program: program, environment: ProcessEnvironment([:]))
      while true {
        let answer = Answer(pinentry.ask(request, for: client, judges: judges, cancellation: cancellation))
        // A parallel test started a program while this one's was written.
        if !answer.isTextFileBusy { return answer }
      }
    }
  }

  var answer: Answer { work.value() }
}

extension ScriptedPinentry {
  func ask(
    _ question: PromptRequest.Question = .passcode, timeout: Duration = .seconds(120), client: PromptClient = .onScreen,
    judges: CandidateJudges = CandidateJudges()
  ) throws -> Answer {
    var request = PromptRequest(question, title: "passcoded", description: "Unlock the store.")
    request.timeout = timeout
    return try RunningPrompt(path, request, client, judges: judges).answer
  }
}

extension PromptClient {
  /// A client with a display, for scripted programs.
  static let onScreen = PromptClient(
    surroundings: PromptSurroundings(variables: ["DISPLAY": ":0"], terminal: nil), process: nil)
}
