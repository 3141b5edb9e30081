import Glibc
import PasscodePlatform
import Synchronization
import TestSupport
import Testing

@testable import PasscodePrompts

/// One prompt at a time, however many ask.
struct PromptQueueTests {
  private typealias Queue = PromptQueue<String, Answer>
  private typealias Share = Result<PromptShare<Answer>, PromptQueueError>

  private func ask(
    _ queue: Queue, _ subject: String = "unlock", client: Int32? = nil,
    _ show: @escaping @Sendable (PromptCancellation) -> PromptTurn<Answer>
  ) -> Background<Share> {
    Background {
      do throws(PromptQueueError) {
        return .success(try queue.ask(subject, client: client, show: show))
      } catch {
        return .failure(error)
      }
    }
  }

  private func wait(_ condition: () -> Bool) {
    while !condition() { usleep(1000) }
  }

  /// Waits for its cancellation, or for the gate.
  private static func hold(_ cancellation: PromptCancellation, _ gate: Monitor<Answer?>) -> PromptTurn<Answer> {
    while true {
      if cancellation.isCancelled { return .shared(.cancelled) }
      if let answer = gate.withLock({ $0 }) { return .shared(answer) }
      usleep(1000)
    }
  }

  @Test("SC-42: thirty who ask get one prompt, and a cancel at it frees all thirty")
  func thirty() throws {
    let desk = try Desk()
    let queue = Queue()
    let client = desk.client()
    let shown = Mutex(0)
    Signals.ignoreBrokenPipes()
    let askers = (0..<30).map { _ in
      ask(queue) { cancellation in
        shown.withLock { $0 += 1 }
        let pinentry = Pinentry(program: "/usr/bin/pinentry-tty", environment: ProcessEnvironment([:]))
        let request = PromptRequest(.passcode, title: "passcoded", description: "Unlock the store.")
        return .shared(Answer(pinentry.ask(request, for: client, cancellation: cancellation)))
      }
    }
    wait { queue.waiterCount == 30 }
    try desk.terminal.expect("Passcode:")
    #expect(queue.isShowing && askers.allSatisfy { $0.finished == nil })
    desk.terminal.waitUntil(echoing: false)
    try desk.terminal.send("\u{4}")
    for asker in askers { #expect(asker.value() == .success(.answered(.cancelled))) }
    #expect(shown.withLock { $0 } == 1 && queue.waiterCount == 0)
    #expect(!desk.terminal.transcriptText.dropFirst(200).contains("Passcode:\r\nPasscode:"))
  }

  @Test("Other questions wait in line; never are two shown at once")
  func inLine() {
    let queue = Queue()
    let open = Mutex((now: 0, most: 0, total: 0))
    let askers = (0..<40).map { number in
      ask(queue, "subject \(number % 8)") { _ in
        open.withLock {
          $0.now += 1
          $0.total += 1
          $0.most = max($0.most, $0.now)
        }
        usleep(2000)
        open.withLock { $0.now -= 1 }
        return .shared(.passcode("\(number % 8)"))
      }
    }
    for (number, asker) in askers.enumerated() { #expect(asker.value() == .success(.answered(.passcode("\(number % 8)")))) }
    #expect(open.withLock { $0.most } == 1 && open.withLock { $0.total } >= 8)
  }

  @Test("A waiter whose client goes away leaves; the prompt goes on for the others, and ends with the last one")
  func vanishing() throws {
    let queue = Queue()
    let gate = Monitor<Answer?>(nil)
    let ended = Mutex(false)
    let show: @Sendable (PromptCancellation) -> PromptTurn<Answer> = { cancellation in
      let turn = Self.hold(cancellation, gate)
      ended.withLock { $0 = cancellation.isCancelled }
      return turn
    }
    let pairs = try (0..<3).map { _ in try makeSocketPair() }
    let askers = pairs.map { ask(queue, client: $0.0, show) }
    wait { queue.waiterCount == 3 && queue.isShowing }
    for index in 0..<2 {
      close(pairs[index].1)
      #expect(askers[index].value() == .success(.withdrawn))
      #expect(queue.isShowing && askers[2].finished == nil && !ended.withLock { $0 })
    }
    close(pairs[2].1)
    #expect(askers[2].value() == .success(.withdrawn))
    wait { !queue.isShowing }
    #expect(ended.withLock { $0 })
    for pair in pairs { close(pair.0) }
  }

  @Test("Who asks while a prompt that nobody waits for is ending gets a new one")
  func afterTheLast() throws {
    let queue = Queue()
    let gate = Monitor<Bool>(false)
    let (own, peer) = try makeSocketPair()
    let first = ask(queue, client: own) { cancellation in
      wait { cancellation.isCancelled }
      gate.wait { $0 ? () : nil }
      return .shared(.cancelled)
    }
    wait { queue.isShowing }
    close(peer)
    #expect(first.value() == .success(.withdrawn))
    let second = ask(queue) { _ in .shared(.confirmed) }
    wait { queue.waiterCount == 1 }
    gate.broadcast { $0 = true }
    #expect(second.value() == .success(.answered(.confirmed)))
    close(own)
  }

  @Test("What went wrong in one asker's surroundings is his alone: the next one's are tried")
  func ownOutcome() {
    let queue = Queue()
    let gate = Monitor<Bool>(false)
    let order = Mutex<[Int]>([])
    let show: @Sendable (Int) -> PromptTurn<Answer> = { number in
      gate.wait { $0 ? () : nil }
      order.withLock { $0.append(number) }
      return number < 2 ? .own(.unavailable(.noDisplayOrTerminal)) : .shared(.confirmed)
    }
    var askers: [Background<Share>] = []
    for number in 0..<5 {
      askers.append(ask(queue) { _ in show(number) })
      wait { queue.waiterCount == number + 1 }
    }
    gate.broadcast { $0 = true }
    for (number, asker) in askers.enumerated() {
      #expect(asker.value() == .success(.answered(number < 2 ? .unavailable(.noDisplayOrTerminal) : .confirmed)))
    }
    #expect(order.withLock { $0 } == [0, 1, 2])
  }

  @Test("Stopping ends the prompt, frees all and takes nobody more")
  func stopping() {
    let queue = Queue()
    let gate = Monitor<Answer?>(nil)
    let askers = ["unlock", "unlock", "other"].map { ask(queue, $0) { Self.hold($0, gate) } }
    wait { queue.waiterCount == 3 && queue.isShowing }
    queue.stop()
    #expect(!queue.isShowing && queue.waiterCount == 0)
    for asker in askers { #expect(asker.value() == .success(.stopped)) }
    #expect(ask(queue) { _ in .shared(.confirmed) }.value() == .success(.stopped))
    queue.stop()
  }

  @Test("No more wait than may")
  func bounded() {
    let queue = Queue(maximumWaiters: 2)
    let gate = Monitor<Answer?>(nil)
    let askers = (0..<2).map { _ in ask(queue) { Self.hold($0, gate) } }
    wait { queue.waiterCount == 2 }
    #expect(ask(queue) { _ in .shared(.confirmed) }.value() == .failure(.tooManyWaiters))
    gate.broadcast { $0 = .timedOut }
    for asker in askers { #expect(asker.value() == .success(.answered(.timedOut))) }
  }

  @Test("Whatever the order of events, each waiter is freed once, and an ending prompt is joined by nobody")
  func randomEvents() {
    var generator = SplitMix64.announced()
    for _ in 0..<500 {
      var line = PromptLine<Int>()
      var (waiting, shownAlone): (Set<UInt64>, Bool) = ([], false)
      for _ in 0..<60 {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: waiting.insert(line.join(Int.random(in: 0..<3, using: &generator)))
        case 2:
          guard let waiter = waiting.randomElement(using: &generator) else { break }
          waiting.remove(waiter)
          if line.leave(waiter) {
            #expect(line.isShowing)
            shownAlone = true
          }
          let again = line.leave(waiter)
          #expect(!again)
        case 3:
          guard !line.isShowing, let waiter = line.show() else { break }
          #expect(waiting.contains(waiter))
        default:
          guard line.isShowing else { break }
          let freed = line.finish(isShared: Bool.random(using: &generator))
          #expect(waiting.isSuperset(of: freed) && (!shownAlone || freed.isEmpty))
          waiting.subtract(freed)
          shownAlone = false
        }
        #expect(line.waiterCount == waiting.count)
      }
      let rest = line.leaveAll()
      #expect(Set(rest) == waiting)
    }
  }
}
