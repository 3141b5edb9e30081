/// The way out of a forgotten passcode: the store's id is typed, then the store is set aside or erased, and quick unlock is
/// turned off.
///
/// It lets nobody in, and a slip does nothing: anything but the exact id only asks again.
///
/// The flow belongs to one thread at a time.
public final class ResetFlow {
  private let store: any ResettableStore
  private let quickUnlock: any QuickUnlockProvider
  var state = ResetMachine.start
  private var isMistyped = false
  private var failure: FlowFailure?
  private var outcome = QuickUnlockOutcome.unchanged

  /// A flow at its first step.
  ///
  /// - Parameters:
  ///   - store: what is reset; held until the flow is released.
  ///   - quickUnlock: turned off after the reset.
  public init(store: any ResettableStore, quickUnlock: any QuickUnlockProvider = NoQuickUnlock()) {
    self.store = store
    self.quickUnlock = quickUnlock
  }

  /// What to show now.
  public var step: FlowStep {
    switch state {
    case .confirm: .confirmReset(ResetFacts(storeID: store.storeID, isMistyped: isMistyped))
    case .resetting: .working
    case .finished: .finished(.done(outcome))
    case .failed: .finished(.failed(failure!))
    case .cancelled: .cancelled
    }
  }

  /// Takes the typed id, and resets the store where it is the right one.
  ///
  /// - Parameters:
  ///   - typedID: compared exactly, byte for byte.
  ///   - manner: whether the store is set aside or erased.
  /// - Returns: the step to show next.
  /// - Throws: `notNow`, `ended`.
  @discardableResult
  public func confirm(_ typedID: String, manner: ResetManner) throws(FlowRefusal) -> FlowStep {
    let isStoreID = typedID.utf8.elementsEqual(store.storeID.utf8)
    try send(.confirmed(isStoreID: isStoreID, manner: manner))
    isMistyped = !isStoreID
    return step
  }

  /// Gives up, and tells the store's owner. The store is as it was.
  ///
  /// - Throws: `notNow` while the store is being reset, `ended`.
  public func cancel() throws(FlowRefusal) { try send(.cancel) }
}

/// What a ``ResetFlow`` resets.
public protocol ResettableStore {
  /// The store's public id, which a person has to type.
  var storeID: String { get }

  /// Sets the store aside or erases it.
  ///
  /// - Throws: why it could not be done; the store is as it was.
  func reset(_ manner: ResetManner) throws(FlowFailure)

  /// The person gave up.
  func didCancel()
}

extension ResettableStore {
  /// Does nothing.
  public func didCancel() {}
}

// MARK: - FlowDriver

extension ResetFlow: FlowDriver {
  typealias Machine = ResetMachine

  func perform(_ effect: ResetMachine.Effect) throws(FlowRefusal) -> ResetMachine.Event? {
    switch effect {
    case .reset(let manner): return reset(manner)
    case .disableQuickUnlock: disableQuickUnlock()
    case .tellCancelled: store.didCancel()
    case .refuse(let refusal): throw refusal
    }
    return nil
  }

  private func reset(_ manner: ResetManner) -> ResetMachine.Event {
    do {
      try store.reset(manner)
      return .done
    } catch {
      failure = error
      return .failed
    }
  }

  private func disableQuickUnlock() {
    do { try quickUnlock.disable() } catch { outcome = .failed(error) }
  }
}
