internal import PasscodeCore
internal import PasscodePlatform
internal import Synchronization

/// Group commit by leader and followers: the caller that finds nobody committing commits for all who wait. Each caller returns
/// only when its own change is on the disk or refused.
///
/// The state row belongs to one committer at a time; it is changed only under `state`, in the transaction of the changes that
/// it counts.
final class Committer: Sendable {
  /// A change that waits for a leader.
  private final class Job: Sendable {
    enum Fate: Sendable {
      case lead
      case done(Result<Bool, StoreError>)
    }

    let change: StorageChange
    let fate = Monitor<Fate?>(nil)

    init(_ change: StorageChange) { self.change = change }

    func tell(_ fate: Fate) { self.fate.signal { $0 = fate } }
    func wait() -> Fate { fate.wait { $0 } }
  }

  private struct Line {
    var waiting: [Job] = []
    var hasLeader = false
  }

  private let storage: any CredentialStorage
  private let keys: StoreKeys
  private let state: Monitor<StoreState>
  private let line = Monitor(Line())
  private let revision: Atomic<Int64>
  private let noting: @Sendable (StoreState) -> Void

  /// - Parameter noting: told each state that is on the disk, before the next one can be.
  init(
    _ state: StoreState, keys: StoreKeys, storage: any CredentialStorage, noting: @escaping @Sendable (StoreState) -> Void
  ) {
    self.storage = storage
    self.keys = keys
    self.noting = noting
    self.state = Monitor(state)
    revision = Atomic(state.nextRevision)
  }

  /// A revision that no sealed part of this store has had. One that is drawn and then not used is no loss.
  func nextRevision() -> Int64 { revision.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// The state as last committed.
  var current: StoreState { state.withLock { $0 } }

  /// Commits one change, alone or with others.
  ///
  /// - Returns: false where it was refused because a row was not as its steps expect.
  func commit(_ change: StorageChange) throws(StoreError) -> Bool {
    let job = Job(change)
    let leads = line.withLock { (line: inout Line) -> Bool in
      line.waiting.append(job)
      defer { line.hasLeader = true }
      return !line.hasLeader
    }
    if !leads, case .done(let result) = job.wait() { return try result.get() }
    return try lead(job).get()
  }

  /// Commits all that wait, tells them, and hands the lead on.
  private func lead(_ own: Job) -> Result<Bool, StoreError> {
    let batch = line.withLock { (line: inout Line) -> [Job] in
      defer { line.waiting = [] }
      return line.waiting
    }
    let results = commit(batch)
    var ownResult = Result<Bool, StoreError>.success(false)
    for (job, result) in zip(batch, results) {
      if job === own { ownResult = result } else { job.tell(.done(result)) }
    }
    let next = line.withLock { (line: inout Line) -> Job? in
      if line.waiting.isEmpty { line.hasLeader = false }
      return line.waiting.first
    }
    next?.tell(.lead)
    return ownResult
  }

  private func run(_ batch: [Job]) -> [Result<Bool, StoreError>] {
    state.withLock { (state: inout StoreState) -> [Result<Bool, StoreError>] in
      var next = state
      do throws(StoreError) {
        let taken = try storage.commit(batch.map(\.change)) { taken in
          // The transaction may be tried twice.
          next = state
          for (job, isTaken) in zip(batch, taken) where isTaken { next.apply(job.change, keys) }
          next.generation += 1
          next.nextRevision = revision.load(ordering: .relaxed)
          return next.sealed(with: keys.state, of: keys.store)
        }
        if taken.contains(true) { adopt(next, &state) }
        return taken.map { .success($0) }
      } catch { return batch.map { _ in .failure(error) } }
    }
  }

  /// Commits a batch. Where that fails, each change alone: one that the disk has no room for must not take others with it.
  private func commit(_ batch: [Job]) -> [Result<Bool, StoreError>] {
    let results = run(batch)
    guard batch.count > 1, case .failure = results[0] else { return results }
    return batch.flatMap { run([$0]) }
  }

  /// Changes the passcode side and the state together, while nobody commits.
  ///
  /// The state counts as changed exactly where it is on the disk: a commit with an older one would name slots that are gone.
  func apply(_ body: (inout StoreState, inout AccessChange) throws(StoreError) -> Void) throws(StoreError) {
    try state.withLock { (state: inout StoreState) throws(StoreError) in
      var next = state
      var change = AccessChange()
      try body(&next, &change)
      next.generation += 1
      next.nextRevision = revision.load(ordering: .relaxed)
      change.state = next.sealed(with: keys.state, of: keys.store)
      try storage.apply(change)
      adopt(next, &state)
    }
  }

  private func adopt(_ next: StoreState, _ state: inout StoreState) {
    state = next
    noting(next)
  }
}
