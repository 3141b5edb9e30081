internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// The one flow that a connection can have. It ends with the connection.
///
/// Its lock is held through a step, a derivation included: whoever locks the store waits for the step and then ends the flow.
final class ConnectionFlow: Sendable {
  private let flow = Monitor<RunningFlow?>(nil)

  /// Names it among the flows of all connections.
  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Where the running flow stands; nil where none is running.
  var step: FlowStep? { flow.withLock { $0?.step } }

  /// Whether a flow is running.
  var isRunning: Bool { flow.withLock { $0 != nil } }

  /// Starts a flow.
  ///
  /// - Throws: `wrongStep` where one is running.
  func start(_ make: () -> RunningFlow) throws(WireError) -> WireStep {
    try flow.withLock { (flow: inout RunningFlow?) throws(WireError) in
      if let flow { throw .wrongStep(WireFlowStep(flow.step)) }
      let started = make()
      flow = started
      return try started.shown()
    }
  }

  /// Does a step of the running flow, and lets go of a flow that has ended.
  ///
  /// - Throws: `noFlow`; what `body` throws.
  func advance(_ body: (RunningFlow) throws(WireError) -> WireStep) throws(WireError) -> WireStep {
    try flow.withLock { (flow: inout RunningFlow?) throws(WireError) in
      guard let running = flow else { throw .noFlow }
      defer { if running.step.isEnd { flow = nil } }
      return try body(running)
    }
  }

  /// Takes an entry for the running flow.
  ///
  /// - Throws: `noFlow`; as ``RunningFlow/enter(_:)``.
  func enter(_ passcode: consuming SecretBytes) throws(WireError) -> WireStep {
    var entry: SecretBytes? = passcode
    return try advance { running throws(WireError) in
      guard let passcode = entry.take() else { throw .internalFault }
      return try running.enter(passcode)
    }
  }

  /// Ends the flow, if one is running; what it holds is wiped when this returns.
  func cancel() { flow.withLock { $0 = nil } }
}

/// The flows of all connections, for the one who locks the store: a change that is half done holds the store's key.
final class FlowTable: Sendable {
  private let flows = Monitor<[ObjectIdentifier: ConnectionFlow]>([:])

  func add(_ flow: ConnectionFlow) { flows.withLock { $0[ObjectIdentifier(flow)] = flow } }

  func remove(_ flow: ConnectionFlow) { flows.withLock { $0[ObjectIdentifier(flow)] = nil } }

  /// Ends every flow.
  func cancelAll() {
    for flow in flows.withLock({ Array($0.values) }) { flow.cancel() }
  }
}
