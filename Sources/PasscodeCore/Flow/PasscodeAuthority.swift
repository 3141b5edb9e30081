public import SecretMemory

/// What a flow needs from whoever keeps the passcode: the built-in store, or an app through ``PasscodeFlowDelegate``.
///
/// A flow calls it on the thread that called the flow, and waits; ``tryPasscode(_:mode:)`` may take as long as a derivation
/// (about half a second). It may call the flow back: the flow refuses what does not fit the step.
///
/// Secrets: passcodes are lent, normalised (see `PasscodeText`), and wiped by the flow. Do not keep a copy.
public protocol PasscodeAuthority {
  /// The policy in force now, ready to judge: pulled each time, so that a policy that changes in the middle of a flow is obeyed
  /// from the next entry on.
  var policyEngine: PolicyEngine { get }

  /// Whether a person may go on without setting a passcode. False unless the app says otherwise.
  var allowsSkip: Bool { get }

  /// How many wrong tries are left; nil where there is no limit or where it is not known before a try.
  var triesRemaining: Int? { get }

  /// Takes the finished passcode, or tries it.
  ///
  /// - Parameter mode: `create`: make it the passcode. `match`: is it the right one? `matchForChange`: the same, and a change
  ///   follows. `change` comes through the default of ``changePasscode(from:to:)``, and at the end of a recovery.
  /// - Returns: what became of it. The authority counts tries and charges them before it tries; the flow counts nothing.
  func tryPasscode(_ passcode: borrowing SecretBytes, mode: PasscodeInputMode) -> PasscodeAnswer

  /// Puts `new` in the place of `current`, which was taken in mode `matchForChange` just before.
  ///
  /// The default hands `new` to ``tryPasscode(_:mode:)`` in mode `change`, for an app that keeps what it needs of the current one.
  func changePasscode(from current: borrowing SecretBytes, to new: borrowing SecretBytes) -> PasscodeAnswer

  /// Whether a candidate is an earlier passcode that may not come back. Asked in a change only, after the current passcode was
  /// taken and the policy is met. `fresh` unless the authority keeps a history.
  func checkHistory(_ candidate: borrowing SecretBytes) -> HistoryAnswer

  /// The person gave up; nothing was stored.
  func didCancel()

  /// The person goes on without a passcode; only where ``allowsSkip`` is true.
  func didSkip()

  /// The person has forgotten the passcode and asks for a reset: the app decides, and may start a ``ResetFlow``.
  func shouldReset()
}

extension PasscodeAuthority {
  /// False: a passcode has to be set.
  public var allowsSkip: Bool { false }
  /// Nil: not known before a try.
  public var triesRemaining: Int? { nil }
  /// Hands `new` to ``tryPasscode(_:mode:)`` in mode `change`.
  public func changePasscode(from current: borrowing SecretBytes, to new: borrowing SecretBytes) -> PasscodeAnswer {
    tryPasscode(new, mode: .change)
  }
  /// `fresh`: no history is kept.
  public func checkHistory(_ candidate: borrowing SecretBytes) -> HistoryAnswer { .fresh }
  /// Does nothing.
  public func didCancel() {}
  /// Does nothing.
  public func didSkip() {}
  /// Does nothing.
  public func shouldReset() {}
}

/// For what a passcode was entered.
public enum PasscodeInputMode: Hashable, Sendable, CaseIterable {
  /// A first passcode.
  case create
  /// The passcode, to see whether it is right.
  case match
  /// The current passcode, at the begin of a change.
  case matchForChange
  /// The new passcode, at the end of a change.
  case change
}

/// What became of a passcode that was handed over.
public enum PasscodeAnswer: Equatable, Sendable {
  /// Stored (`create`, `change`), or the right one.
  case accepted
  /// The right one, and it has to be changed before it is of use.
  case mustChange(MustChangeReason)
  /// A wrong one; a try is charged.
  case wrong(WrongTry)
  /// Turned away for what it is; no try is charged. The message is for the person.
  case belowPolicy(message: String)
  /// No try is taken now; none is charged. The wait is in seconds, nil where it is not known.
  case lockedOut(retryAfterSeconds: Int?)
  /// A wrong one, and the store is gone: the policy's last try.
  case erased
  /// It could not be done, for a reason that is not the passcode's; nothing was stored.
  case failed(FlowFailure)
}

/// Why a right passcode is of no use until it is changed.
public enum MustChangeReason: String, Hashable, Sendable, CaseIterable {
  /// It is older than the policy's `expirationDays`.
  case expired
  /// The policy has become stricter since it was set.
  case belowPolicy
}

/// A wrong try.
public struct WrongTry: Hashable, Sendable {
  /// What to tell the person; nil for the front end's own words.
  public let message: String?
  /// How many wrong tries are left; nil for no limit.
  public let triesRemaining: Int?
  /// How long no further try is taken, in seconds; nil where the next one may come at once.
  public let retryAfterSeconds: Int?

  /// A wrong try with what is known about the next one.
  public init(message: String? = nil, triesRemaining: Int? = nil, retryAfterSeconds: Int? = nil) {
    self.message = message
    self.triesRemaining = triesRemaining
    self.retryAfterSeconds = retryAfterSeconds
  }
}

/// Why something could not be done that has nothing to do with the passcode: a full disk, say. Never holds a secret.
public struct FlowFailure: Error, Hashable, Sendable {
  /// A stable word for programs, chosen by the authority.
  public let code: String
  /// A sentence for a person.
  public let message: String

  /// A failure.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

extension FlowFailure {
  /// An authority broke its own contract: a wrong try where nothing was tried, say.
  static let unexpectedAnswer = FlowFailure(
    code: "unexpectedAnswer", message: "The store gave an answer that does not fit the question.")
  /// The current passcode was right at the begin of the change and is not any more.
  static let changedMeanwhile = FlowFailure(
    code: "changedMeanwhile", message: "The current passcode was changed by somebody else in the meantime.")
}

/// Whether a candidate was the passcode before.
public enum HistoryAnswer: Hashable, Sendable {
  /// It was not, as far as the history goes.
  case fresh
  /// It was, and may not come back.
  case earlier
  /// It could not be found out; nothing was changed.
  case failed(FlowFailure)
}
