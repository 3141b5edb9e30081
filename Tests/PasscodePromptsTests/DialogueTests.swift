import TestSupport
import Testing

@testable import PasscodePrompts

struct DialogueTests {
  private let new = PromptRequest.Question.newPasscode(repeatLabel: "Again:", mismatch: "They differ.")

  private func dialogue(_ question: PromptRequest.Question, checks: Bool = false, quality: Bool = false) -> Dialogue {
    var request = PromptRequest(question, title: "T", description: "D")
    request.error = "E"
    return Dialogue(
      DialogueScript(
        request: request, options: [.option("ttyname", value: "/dev/pts/1")], hasTerminal: true, showsQuality: quality,
        checks: checks))
  }

  /// Answers everything with OK up to the question, and gives what was sent.
  private func open(_ dialogue: inout Dialogue) -> [AssuanCommand] { proceed(&dialogue, dialogue.handle(.ok)) }

  private func proceed(_ dialogue: inout Dialogue, _ first: Dialogue.Action) -> [AssuanCommand] {
    var sent: [AssuanCommand] = []
    var action = first
    while case .send(let command) = action {
      sent.append(command)
      if command == .getPIN || command == .confirm { break }
      action = dialogue.handle(.ok)
    }
    return sent
  }

  @Test("The settings come in order, then the question")
  func order() {
    var asking = dialogue(new, checks: true, quality: true)
    #expect(
      open(&asking) == [
        .getFlavor,
        .option("ttyname", value: "/dev/pts/1"), .option("constraints-enforce"), .set(.title, "T"), .set(.description, "D"),
        .timeout(119), .set(.prompt, "Passcode:"), .set(.error, "E"), .set(.repeatLabel, "Again:"),
        .set(.repeatError, "They differ."), .set(.qualityBar, "Strength:"), .getPIN,
      ])
  }

  @Test("A setting that is refused is done without; a description that can't be shown ends it")
  func refusedSettings() {
    var asking = dialogue(.passcode)
    #expect(asking.handle(.ok) == .send(.getFlavor))
    #expect(asking.handle(.error(280)) == .send(.option("ttyname", value: "/dev/pts/1")))
    #expect(asking.handle(.error(83_886_254)) == .send(.set(.title, "T")))
    #expect(asking.handle(.error(536_871_187)) == .send(.set(.description, "D")))
    #expect(asking.handle(.error(5)) == .finish(.refused(5)))
    #expect(asking.handle(.ok) == .wait)
  }

  @Test("Without a terminal, a pinentry that needs one is not asked to ask")
  func flavor() {
    let request = PromptRequest(.passcode, title: "T", description: "D")
    for needsTerminal in [true, false] {
      var asking = Dialogue(
        DialogueScript(request: request, options: [], hasTerminal: false, showsQuality: false, checks: false))
      #expect(asking.handle(.ok) == .send(.getFlavor))
      #expect(asking.handle(.data) == .readFlavor)
      #expect(asking.handle(.flavor(needsTerminal: needsTerminal)) == (needsTerminal ? .finish(.needsTerminal) : .wait))
      #expect(asking.handle(.ok) == (needsTerminal ? .wait : .send(.set(.title, "T"))))
    }
    for (name, needsTerminal) in [("tty", true), ("curses", true), ("gnome3:curses", true), ("gnome3", false), ("", false)] {
      #expect(AssuanText.needsTerminal(Array(name.utf8).span) == needsTerminal)
    }
  }

  @Test("A passcode is one question; an answer without data is an empty one")
  func passcode() {
    var asking = dialogue(.passcode)
    #expect(open(&asking).last == .getPIN)
    #expect(asking.handle(.data) == .keepData)
    #expect(asking.handle(.data) == .keepData)
    #expect(asking.handle(.ok) == .finish(.passcode))
    var empty = dialogue(.passcode)
    _ = open(&empty)
    #expect(empty.handle(.ok) == .finish(.passcode))
  }

  @Test("A pinentry that repeats by itself is asked once")
  func repeating() {
    var asking = dialogue(new)
    _ = open(&asking)
    #expect(asking.handle(.pinRepeated) == .wait)
    #expect(asking.handle(.data) == .keepData)
    #expect(asking.handle(.ok) == .finish(.passcode))
  }

  @Test("One that does not repeat is asked again, and both entries are compared; where they differ, from the start")
  func fallback() {
    var asking = dialogue(new)
    _ = open(&asking)
    #expect(asking.handle(.data) == .keepData && !asking.isSecondEntry)
    #expect(proceed(&asking, asking.handle(.ok)) == [.set(.prompt, "Again:"), .getPIN])
    #expect(asking.isSecondEntry)
    #expect(asking.handle(.data) == .keepData)
    #expect(asking.handle(.ok) == .compare)
    #expect(
      proceed(&asking, asking.handle(.compared(areEqual: false))) == [
        .set(.prompt, "Passcode:"), .set(.error, "They differ."), .set(.repeatLabel, "Again:"),
        .set(.repeatError, "They differ."), .getPIN,
      ])
    #expect(!asking.isSecondEntry)
    _ = proceed(&asking, asking.handle(.ok))
    #expect(asking.handle(.ok) == .compare)
    #expect(asking.handle(.compared(areEqual: true)) == .finish(.passcode))
  }

  @Test("A candidate that was not checked while it was typed is judged before its repetition is asked for")
  func judging() {
    var asking = dialogue(new, checks: true)
    _ = open(&asking)
    #expect(asking.handle(.check(isWhole: false)) == .send(.answer(nil)), "what was cut can't be refused")
    #expect(asking.handle(.data) == .keepData)
    #expect(asking.handle(.ok) == .judgeCandidate)
    #expect(proceed(&asking, asking.handle(.judged(refusal: "Too short."))).contains(.set(.error, "Too short.")))
    #expect(asking.handle(.check(isWhole: true)) == .check)
    #expect(proceed(&asking, asking.handle(.ok)) == [.set(.prompt, "Again:"), .getPIN])
  }

  @Test("A confirmation takes yes, no and cancel, and no data")
  func confirmation() {
    for (event, ending) in [
      (.ok, .confirmed), (.error(83_886_194), .notConfirmed), (.error(83_886_179), .cancelled),
      (.error(83_886_278), .cancelled), (.error(83_886_142), .timedOut), (.error(83_918_950), .refused(83_918_950)),
      (.data, .crashed(.unexpectedReply)),
    ] as [(Dialogue.Event, Dialogue.Ending)] {
      var asking = dialogue(.confirmation(noLabel: "Never"))
      let sent = open(&asking)
      #expect(sent.last == .confirm && sent.contains(.set(.notOKLabel, "Never")))
      #expect(asking.handle(event) == .finish(ending))
    }
  }

  @Test("A pinentry that never gives a usable entry does not keep the dialogue for ever")
  func endless() {
    var asking = dialogue(new, checks: true)
    _ = open(&asking)
    var rounds = 1
    while true {
      #expect(asking.handle(.ok) == .judgeCandidate)
      let action = asking.handle(.judged(refusal: "No."))
      if action == .finish(.crashed(.endless)) { break }
      _ = proceed(&asking, action)
      rounds += 1
    }
    #expect(rounds == Dialogue.maximumRounds)
  }

  @Test("Whatever happens, it ends once, and a new passcode only after two equal entries")
  func anything() {
    var generator = SplitMix64.announced()
    let events: [Dialogue.Event] = [
      .ok, .ok, .ok, .ok, .ok, .ok, .error(1), .error(99), .data, .pinRepeated, .note, .quality, .check(isWhole: true),
      .check(isWhole: false), .otherInquiry, .judged(refusal: nil), .judged(refusal: "No."), .compared(areEqual: true),
      .compared(areEqual: false), .broken(.malformedReply),
    ]
    for _ in 0..<20_000 {
      let checks = Bool.random(using: &generator)
      var asking = dialogue(new, checks: checks, quality: Bool.random(using: &generator))
      var (hasEnded, isConfirmed, isJudged) = (false, false, !checks)
      for _ in 0..<60 {
        let event = events.randomElement(using: &generator)!
        let action = asking.handle(event)
        #expect(!hasEnded || action == .wait)
        if event == .pinRepeated || event == .compared(areEqual: true) { isConfirmed = true }
        if event == .check(isWhole: true) || event == .judged(refusal: nil) { isJudged = true }
        if action == .finish(.passcode) { #expect(isConfirmed && isJudged) }
        if case .finish = action { hasEnded = true }
      }
    }
  }
}
