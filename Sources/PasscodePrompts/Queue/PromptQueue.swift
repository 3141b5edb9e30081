internal import Glibc
public import PasscodePlatform
internal import Synchronization

/// What a prompt, once shown, comes to, and for whom.
public enum PromptTurn<Result: Sendable>: Sendable {
  /// The person decided, or the time did: for all who wait for the same.
  case shared(Result)
  /// It lay in the surroundings of the one it was shown for, such as a terminal that went away: for him alone; the prompt is
  /// shown for the next of those who wait.
  case own(Result)
}

/// What one who waited gets.
public enum PromptShare<Result: Sendable>: Sendable {
  /// The outcome.
  case answered(Result)
  /// The client that asked went away.
  case withdrawn
  /// The queue was stopped.
  case stopped
}

extension PromptShare: Equatable where Result: Equatable {}

/// Why a waiter could not be taken.
public enum PromptQueueError: Error, Equatable, Sendable {
  /// As many wait as may.
  case tooManyWaiters
  /// No descriptor or thread is left.
  case system(PlatformError)
}

/// Shows one prompt at a time, however many ask.
///
/// All who ask for the same subject share the prompt and its outcome; other subjects wait in line. A waiter whose client goes
/// away leaves, and the last one to leave ends the prompt. Whoever does not ask is never held up: the lock is held for moments
/// only, never while a prompt is shown.
public final class PromptQueue<Subject: Hashable & Sendable, Result: Sendable>: Sendable {
  private struct State: ~Copyable {
    var line = PromptLine<Subject>()
    var waiters: [UInt64: PromptWaiter<Result>] = [:]
    /// Ends the prompt that is shown.
    var cancellation: PromptCancellation?
    /// Whether a thread shows prompts.
    var isRunning = false
    var isStopped = false
  }

  private let state = Monitor(State())
  private let maximumWaiters: Int

  /// An empty queue that takes so many waiters.
  public init(maximumWaiters: Int = 1024) { self.maximumWaiters = maximumWaiters }

  /// How many wait now.
  public var waiterCount: Int { state.withLock { $0.line.waiterCount } }

  /// Whether a prompt is shown now.
  public var isShowing: Bool { state.withLock { $0.line.isShowing } }

  /// Waits for the outcome of the prompt about `subject`: the one that is there, or one of its own.
  ///
  /// - Parameters:
  ///   - subject: what is asked for; equal subjects share a prompt.
  ///   - client: the socket of the one who asks; where its peer goes away, so does this waiter. Nil waits in any case.
  ///   - show: asks the person, on a thread of its own, until its argument is cancelled; it is called at most once, and not at
  ///     all where another's prompt answers.
  /// - Throws: `tooManyWaiters`, `system`.
  public func ask(
    _ subject: Subject, client: Int32?, show: @escaping @Sendable (PromptCancellation) -> PromptTurn<Result>
  ) throws(PromptQueueError) -> PromptShare<Result> {
    let waiter: PromptWaiter<Result>
    do {
      waiter = try PromptWaiter(show)
    } catch {
      throw .system(error)
    }
    guard let id = try join(subject, waiter) else { return .stopped }
    if !waiter.wait(whilePeerOf: client) { leave(id) }
    return try waiter.delivery ?? .withdrawn
  }

  /// Answers all who wait in line for subjects that have lost their point. A prompt that is shown goes on: whoever shows it ends it.
  public func answer(_ result: Result, where isOver: (Subject) -> Bool) {
    state.withLock { state in
      for id in state.line.leave(where: isOver) { state.waiters.removeValue(forKey: id)?.deliver(.success(.answered(result))) }
    }
  }

  /// Ends the prompt that is shown, frees all who wait, takes nobody more, and returns when the prompt is gone.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      state.cancellation?.cancel()
      for id in state.line.leaveAll() { state.waiters.removeValue(forKey: id)?.deliver(.success(.stopped)) }
    }
    state.wait { $0.isRunning ? nil : () }
  }

  private func join(
    _ subject: Subject, _ waiter: PromptWaiter<Result>
  ) throws(PromptQueueError) -> UInt64? {
    try state.withLock { (state: inout State) throws(PromptQueueError) -> UInt64? in
      if state.isStopped { return nil }
      guard state.line.waiterCount < maximumWaiters else { throw .tooManyWaiters }
      if !state.isRunning {
        guard startThread(stackBytes: 512 << 10, { self.run() }) else { throw .system(.system(.noThread)) }
        state.isRunning = true
      }
      let id = state.line.join(subject)
      state.waiters[id] = waiter
      return id
    }
  }

  private func leave(_ id: UInt64) {
    state.withLock { state in
      state.waiters[id] = nil
      if state.line.leave(id) { state.cancellation?.cancel() }
    }
  }

  /// Shows prompts until nobody waits.
  private func run() {
    while let (waiter, cancellation) = next() {
      let (delivery, isShared) = Self.delivery(of: waiter, cancellation)
      state.withLock { state in
        state.cancellation = nil
        for id in state.line.finish(isShared: isShared) { state.waiters.removeValue(forKey: id)?.deliver(delivery) }
      }
    }
  }

  private func next() -> (PromptWaiter<Result>, PromptWaiter<Result>.Cancellation)? {
    state.broadcast { state in
      guard let id = state.line.show(), let waiter = state.waiters[id] else {
        state.isRunning = false
        return nil
      }
      let cancellation = PromptWaiter<Result>.newCancellation()
      state.cancellation = try? cancellation.get()
      return (waiter, cancellation)
    }
  }

  private static func delivery(
    of waiter: PromptWaiter<Result>, _ cancellation: PromptWaiter<Result>.Cancellation
  ) -> (PromptWaiter<Result>.Delivery, isShared: Bool) {
    switch cancellation {
    case .failure(let error): (.failure(error), false)
    case .success(let cancellation):
      switch waiter.show(cancellation) {
      case .shared(let result): (.success(.answered(result)), true)
      case .own(let result): (.success(.answered(result)), false)
      }
    }
  }
}
