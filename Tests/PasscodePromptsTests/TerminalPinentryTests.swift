import Glibc
import PasscodePlatform
import PasscodePrompts
import TestSupport
import Testing

/// Debian's pinentry-tty and pinentry-curses, with a person at a pseudo-terminal.
struct TerminalPinentryTests {
  private static let plain = "/usr/bin/pinentry-tty"
  private static let curses = "/usr/bin/pinentry-curses"

  private func request(_ question: PromptRequest.Question = .passcode) -> PromptRequest {
    var request = PromptRequest(question, title: "passcoded", description: "Unlock the store 50% of Zoë.")
    request.okLabel = "_Yes"
    request.cancelLabel = "_Cancel"
    return request
  }

  private let new = PromptRequest.Question.newPasscode(repeatLabel: "Again:", mismatch: "They differ.")

  /// Types when the field is there: the terminal's own echo is off then.
  private func type(_ text: String, _ desk: Desk, after shown: String) throws {
    try desk.terminal.expect(shown)
    desk.terminal.waitUntil(echoing: false)
    try desk.terminal.send(text)
  }

  @Test(
    "The passcode comes byte for byte, the asker is named as unverified, and the terminal echoes again",
    arguments: [plain, curses])
  func passcode(program: String) throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(program, request(), desk.client())
    try desk.terminal.expect("50% of Zoë")
    try desk.terminal.expect("sleep")
    try desk.terminal.expect("unverified")
    try type("h%25 un%ter é\r", desk, after: "Passcode:")
    #expect(prompt.answer == .passcode("h%25 un%ter é"))
    #expect(desk.terminal.isEchoing && !desk.terminal.hasShown("un%ter"))
  }

  @Test("Nothing typed is an empty passcode", arguments: [plain, curses])
  func empty(program: String) throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(program, request(), desk.client())
    try type("\r", desk, after: "Passcode:")
    #expect(prompt.answer == .passcode(""))
  }

  @Test("pinentry-tty asks for a new passcode twice by itself, until both are the same")
  func repeatedByItself() throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(Self.plain, request(new), desk.client())
    try type("one\r", desk, after: "Passcode:")
    try type("two\r", desk, after: "Again:")
    try desk.terminal.expect("They differ.")
    try type("three\r", desk, after: "Passcode:")
    try type("three\r", desk, after: "Again:")
    #expect(prompt.answer == .passcode("three"))
  }

  @Test("pinentry-curses ignores the repetition: it is asked for again, and both are compared")
  func repeatedForIt() throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(Self.curses, request(new), desk.client())
    try type("one\r", desk, after: "Passcode:")
    try type("two\r", desk, after: "Again:")
    try desk.terminal.expect("They differ.")
    try type("three\r", desk, after: "Passcode:")
    try type("three\r", desk, after: "Again:")
    #expect(prompt.answer == .passcode("three"))
  }

  @Test("A refused candidate is asked for again with the reason, before it is repeated")
  func refused() throws {
    let desk = try Desk()
    let judges = CandidateJudges(refusal: { $0.count < 4 ? "At least 4 characters." : nil })
    let prompt = try RunningPrompt(Self.curses, request(new), desk.client(), judges: judges)
    try type("one\r", desk, after: "Passcode:")
    try desk.terminal.expect("At least 4 characters.")
    #expect(!desk.terminal.hasShown("Again:"))
    try type("three\r", desk, after: "Passcode:")
    try type("three\r", desk, after: "Again:")
    #expect(prompt.answer == .passcode("three"))
  }

  @Test("Who gives up has cancelled", arguments: [(plain, "\u{4}"), (curses, "ab\t\t\r")])
  func cancelled(program: String, keys: String) throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(program, request(), desk.client())
    try type(keys, desk, after: "Passcode:")
    #expect(prompt.answer == .cancelled)
    #expect(desk.terminal.isEchoing)
  }

  @Test("A prompt that nobody answers ends in time, and leaves the terminal as it was", arguments: [plain, curses])
  func timedOut(program: String) throws {
    let desk = try Desk()
    var request = request()
    request.timeout = .seconds(2)
    let prompt = try RunningPrompt(program, request, desk.client())
    #expect(prompt.answer == .timedOut)
    #expect(desk.terminal.isEchoing && desk.terminal.isCollectingLines)
  }

  @Test("A prompt that is ended from outside puts back the terminal, without what was typed", arguments: [plain, curses])
  func endedFromOutside(program: String) throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(program, request(), desk.client())
    try type("half a passco", desk, after: "Passcode:")
    prompt.cancellation.cancel()
    #expect(prompt.answer == .cancelled)
    #expect(desk.terminal.isEchoing && desk.terminal.isCollectingLines)
  }

  @Test("A terminal that goes away ends the prompt: a spinning pinentry-curses too", arguments: [plain, curses])
  func hungUp(program: String) throws {
    var desk: Desk? = try Desk()
    let prompt = try RunningPrompt(program, request(), desk!.client())
    try type("half", desk!, after: "Passcode:")
    desk = nil
    #expect(prompt.answer == .unavailable(.terminal(.gone)))
  }

  @Test(
    "A confirmation is answered with yes or no",
    arguments: [(plain, "y", Answer.confirmed), (plain, "n", .notConfirmed), (curses, "\r", .confirmed)])
  func confirmed(program: String, keys: String, answer: Answer) throws {
    let desk = try Desk()
    let prompt = try RunningPrompt(program, request(.confirmation(noLabel: "_Never")), desk.client())
    try type(keys, desk, after: program == Self.plain ? "]?" : "Never")
    #expect(prompt.answer == answer)
  }

  @Test("SC-45: without a display and a terminal nobody is asked, and no program is started")
  func nowhere() throws {
    let never = try ScriptedPinentry("x) ;;")
    for variables in [[:], ["TERM": "xterm", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"], ["DISPLAY": ""]] {
      let surroundings = PromptSurroundings(variables: variables, terminal: nil)
      let client = PromptClient(surroundings: surroundings, process: nil)
      #expect(try never.ask(client: client) == .unavailable(.noDisplayOrTerminal))
    }
    #expect(directoryEntries(never.directory.path) == ["pinentry"])
  }

  @Test("SC-45: a pinentry for terminals that has only a display says so at once", arguments: [plain, curses])
  func onlyDisplay(program: String) throws {
    let prompt = try RunningPrompt(program, request(), .onScreen)
    #expect(prompt.answer == .unavailable(.needsTerminal))
  }

  @Test("With a display too, a pinentry that asks on the terminal ends with it", arguments: [plain, curses])
  func hungUpWithDisplay(program: String) throws {
    var desk: Desk? = try Desk()
    let variables = ["TERM": "xterm", "DISPLAY": ":0"]
    let prompt = try RunningPrompt(program, request(), desk!.client(variables))
    try type("half", desk!, after: "Passcode:")
    desk = nil
    let answer = prompt.answer
    #expect(answer == .unavailable(.terminal(.gone)))
    if case .unavailable(let reason) = answer { #expect(reason.concernsOnlyTheAsker) }
  }

  @Test(
    "A program that is not there, or is named by no absolute path, is told",
    arguments: ["/nonexistent/pinentry", "pinentry", ""])
  func noProgram(path: String) throws {
    #expect(try RunningPrompt(path, request(), .onScreen).answer == .unavailable(.noProgram(path: path)))
  }
}
