public import PasscodeWire
public import SecretMemory
internal import Synchronization

/// A flow of the daemon: `create`, `change` or `recover`, step by step. It has a connection of its own and ends with it, so that
/// nothing is left of a flow that its owner drops.
///
/// Show ``screen``, enter what it asks for, until its step is `finished` or `cancelled`.
public final class PasscodeFlow: Sendable {
  private let connection: ClientConnection
  private let current: Mutex<WireStep>

  init(
    _ connection: ClientConnection, _ write: (inout MessageWriter) throws(WireError) -> Void
  ) throws(ClientError) {
    self.connection = connection
    current = Mutex(try connection.call(.startFlow, write, Self.step))
  }

  /// Where the flow stands, and what is to be shown.
  public var screen: WireStep { current.withLock { $0 } }

  /// Gives the passcode that the step asks for: the current one, a new one, or the new one again.
  ///
  /// A candidate below the policy, or one that differs from the first entry, is no error: the screen says so.
  ///
  /// - Throws: `daemon` with `wrongPasscode` (one try was charged; the flow stays where it is), `lockedOut`, `invalidText`,
  ///   `passcodeChanged` (by somebody else meanwhile; the flow has ended), `policyFault`, `noFlow`, `wrongStep`, `corrupt`, `outOfMemory`, `busy`, `storage`.
  @discardableResult
  public func enter(_ passcode: borrowing SecretBytes) throws(ClientError) -> WireStep {
    let bytes = passcode.bytes
    return try advance(.enterPasscode) { (call: inout MessageWriter) throws(WireError) in
      try call.passcode(.passcode, bytes)
    }
  }

  /// Has the daemon ask the person for what the step asks for; a new passcode is entered twice at once. It comes near no memory of
  /// this process.
  ///
  /// - Throws: `daemon` with `noPrompt`, `promptTimedOut`, `cancelled` (the flow stays where it is), and as ``enter(_:)``.
  @discardableResult
  public func enterByPrompt(at place: PromptPlace = .current()) throws(ClientError) -> WireStep {
    try advance(.enterPasscode, within: Patience.person) { place.write(to: &$0) }
  }

  /// Answers the step `quickUnlock`.
  ///
  /// - Throws: `daemon` with `noFlow`, `wrongStep`, `quickUnlockUnavailable`, `busy`, `storage`.
  @discardableResult
  public func answerQuickUnlock(_ isWanted: Bool) throws(ClientError) -> WireStep {
    try advance(.answerQuickUnlock) { $0.bool(.enable, isWanted) }
  }

  /// Ends the flow; nothing of it is kept.
  ///
  /// - Throws: `daemon(.noFlow)` where it has ended.
  @discardableResult
  public func cancel() throws(ClientError) -> WireStep { try advance(.cancelFlow) { (_: inout MessageWriter) in } }

  private func advance(
    _ method: WireMethod, within patience: Duration? = nil, _ write: (inout MessageWriter) throws(WireError) -> Void
  ) throws(ClientError) -> WireStep {
    let step = try connection.call(method, within: patience, write, Self.step)
    current.withLock { $0 = step }
    return step
  }

  private static func step(_ fields: WireFields) throws(ClientError) -> WireStep {
    guard let step = fields.message(.step, as: WireStep.self) else { throw .badReply("step") }
    return step
  }
}

extension PasscodeClient {
  /// Starts the flow that makes a store.
  ///
  /// - Parameters:
  ///   - quickUnlock: the answer to that step, where it is known from the start.
  ///   - acceptsWipe: whether too many wrong tries may erase the store, where the user's own policy asks for that.
  /// - Throws: `daemon` with `storeExists`, `consentRequired`, `policyFault`.
  public func startCreate(quickUnlock: Bool? = nil, acceptsWipe: Bool = false) throws(ClientError) -> PasscodeFlow {
    try PasscodeFlow(try connection.companion()) {
      $0.word(.flow, WireFlow.create)
      $0.bool(.quickUnlock, quickUnlock)
      if acceptsWipe { $0.bool(.acceptWipe, true) }
    }
  }

  /// Starts the flow that replaces the passcode.
  ///
  /// - Throws: `daemon` with `noStore`, `lockedOut`, `consentRequired`, `policyFault`.
  public func startChange() throws(ClientError) -> PasscodeFlow {
    try PasscodeFlow(try connection.companion()) { $0.word(.flow, WireFlow.change) }
  }

  /// Starts the flow that sets a new passcode by the recovery key: it begins at the step `enter`.
  ///
  /// - Parameters:
  ///   - recoveryKey: as it was typed; the caller keeps and wipes it.
  ///   - acceptsOlder: a store that is older than the one last seen is taken, and goes on from where it is.
  /// - Throws: `daemon` with `recoveryKeyMistyped`, `recoveryKeyWrong`, `noRecoveryKey`, `olderThanLastSeen`, `noStore`,
  ///   `policyFault`. None costs a try.
  public func startRecovery(
    _ recoveryKey: borrowing SecretBytes, acceptsOlder: Bool = false
  ) throws(ClientError) -> PasscodeFlow {
    let bytes = recoveryKey.bytes
    return try PasscodeFlow(try connection.companion()) { (call: inout MessageWriter) throws(WireError) in
      call.word(.flow, WireFlow.recover)
      do throws(WireError) { try call.passcode(.recoveryKey, bytes) } catch { throw .recoveryKeyMistyped }
      call.bool(.acceptOlder, acceptsOlder ? true : nil)
    }
  }
}
