internal import Glibc
internal import PasscodePlatform

/// Listens to systemd-logind on a thread of its own, through a helper process, and starts anew when that ends: nothing else ever
/// waits for the bus.
final class LoginWatch: Sendable {
  /// How it gets on.
  enum Condition: Equatable, Sendable {
    /// It has not got through yet.
    case starting
    /// It hears; whether the machine waits with its sleep until the store is locked.
    case watching(delaysSleep: Bool)
    /// It hears nothing, and tries again.
    case deaf(LoginWatchFault)
  }

  private struct State {
    var condition = Condition.starting
    /// The helper, as long as nobody has waited for its end.
    var helper: Int32?
    var isStopped = false
    /// Whether there was a login session when one was heard of last, however many helpers ago.
    var hadSession = false
  }

  private let state = Monitor(State())
  private let helper: LoginHelper
  private let log: ServiceLog

  /// - Returns: nil where nobody shall listen.
  init?(_ helper: LoginHelper?, log: ServiceLog) {
    guard let helper else { return nil }
    self.helper = helper
    self.log = log
  }

  var condition: Condition { state.withLock { $0.condition } }

  /// Starts to listen, until ``stop()``.
  ///
  /// - Parameter react: is told each event; the machine sleeps no sooner than it returns.
  /// - Returns: false where the system has no room for a thread.
  func start(_ react: @escaping @Sendable (LoginEvent) -> Void) -> Bool {
    startThread { [self] in
      var pause = Duration.seconds(1)
      while !isStopped(within: .zero) {
        let heard = Deadline(.seconds(60))
        let fault = listen(react)
        note(.deaf(fault))
        // Doubled up to some minutes; anew where it went well for a while.
        if heard.isOver { pause = .seconds(1) }
        if isStopped(within: pause) { return }
        pause = min(pause * 2, .seconds(256))
      }
    }
  }

  /// Stops to listen; returns at once.
  func stop() {
    state.broadcast { state in
      state.isStopped = true
      if let helper = state.helper { kill(helper, SIGKILL) }
    }
  }

  private func isStopped(within limit: Duration) -> Bool {
    let isStopped: Void? = state.wait(within: limit) { $0.isStopped ? () : nil }
    return isStopped != nil
  }

  /// Listens until the helper ends.
  private func listen(_ react: (LoginEvent) -> Void) -> LoginWatchFault {
    var process: ChildProcess
    do throws(LoginWatchFault) { process = try helper.start() } catch { return error }
    let pid = process.pid
    state.withLock { state in
      state.helper = pid
      if state.isStopped { kill(pid, SIGKILL) }
    }
    let fault = hear(process, react)
    // Its number may be another process's as soon as it is waited for.
    state.withLock { $0.helper = nil }
    if let fault { return fault }
    let status = try? process.wait(within: .seconds(2))
    return LoginWatchFault(status)
  }

  /// - Returns: why nothing is heard of the helper any more; nil where it has ended.
  private func hear(_ process: borrowing ChildProcess, _ react: (LoginEvent) -> Void) -> LoginWatchFault? {
    var isThrough = false
    while true {
      let byte: UInt8?
      do { byte = try process.output.readByte(within: isThrough ? helper.silence : helper.limit) } catch {
        return isThrough ? .silent : .lost
      }
      guard let event = byte.flatMap(LoginEvent.init) else { return nil }
      isThrough = true
      switch event {
      case .watches, .watchesOnly: note(.watching(delaysSleep: event == .watches))
      case .alive: break
      case .sessionBegan: state.withLock { $0.hadSession = true }
      case .noSession, .lastSessionEnded: if hasEnded(event) { react(.lastSessionEnded) }
      case .sessionLocked: react(event)
      case .sleeps:
        react(event)
        let answer: [UInt8] = [0]
        try? process.input?.writeAll(answer.span)
      }
    }
  }

  /// Whether the last session has ended: now, or while nobody listened.
  private func hasEnded(_ event: LoginEvent) -> Bool {
    state.withLock { state in
      defer { state.hadSession = false }
      return event == .lastSessionEnded || state.hadSession
    }
  }

  /// Only changes are logged: where there is no bus, nothing is said again and again.
  private func note(_ condition: Condition) {
    let isNew = state.withLock { state in
      defer { state.condition = condition }
      return state.condition != condition && !state.isStopped
    }
    if isNew { log.note(.loginWatch(condition.words)) }
  }
}

extension LoginWatch.Condition {
  /// What it means, for a person.
  var words: String {
    switch self {
    case .starting: "not heard from yet"
    case .watching(true): "the store locks before the machine sleeps, with the screen, and with the last session"
    case .watching(false): "the store locks with the screen, with the last session, and when the machine sleeps or right after"
    case .deaf(.noBus): "there is no system bus; the store locks by time alone"
    case .deaf(.noLogind): "systemd-logind is not on the system bus; the store locks by time alone"
    case .deaf(.noHelper): "passcode-logind is not installed; the store locks by time alone"
    case .deaf(.lost): "the system bus does not answer; the store locks by time alone until it does"
    case .deaf(.silent): "passcode-logind was stopped or hangs, and is started anew; until then the store locks by time alone"
    case .deaf(.system(let fault)): "\(fault); the store locks by time alone"
    }
  }
}
