public import SecretMemory

/// Another way in beside the passcode, such as an item in the OS keyring: the port for a flow's third step.
///
/// A flow asks for ``availability`` only after the passcode is confirmed, and only where the policy allows quick unlock. It calls
/// the other members on its own thread and waits, so they must give up by themselves within seconds.
public protocol QuickUnlockProvider {
  /// Whether it can be offered on this machine now.
  var availability: QuickUnlockAvailability { get }

  /// Whether it is on. A change renews it then, and only then: what a person chose is kept.
  var isEnabled: Bool { get }

  /// Turns it on, or renews it, for the store that `passcode` opens. Called after the passcode is in force.
  ///
  /// - Throws: why it could not be done. The passcode is in force all the same.
  ///
  /// Secrets: the passcode is lent and wiped by the flow.
  func enable(with passcode: borrowing SecretBytes) throws(FlowFailure)

  /// Turns it off and removes what it keeps, also where it is off already. Called after a reset.
  ///
  /// - Throws: why something may be left behind. It opens nothing any more.
  func disable() throws(FlowFailure)
}

/// Whether quick unlock can be offered, and why not.
public enum QuickUnlockAvailability: Hashable, Sendable {
  /// It can be offered.
  case available
  /// It can't.
  case unavailable(QuickUnlockObstacle)
}

/// Why quick unlock can't be offered.
public enum QuickUnlockObstacle: Hashable, Sendable {
  /// The policy does not allow it.
  case forbiddenByPolicy
  /// The program has no provider for it.
  case notProvided
  /// There is a provider, and it can't work now; the sentence says why.
  case notWorking(String)

  /// A sentence for a person.
  public var text: String {
    switch self {
    case .forbiddenByPolicy: "Quick unlock is not available: the policy does not allow it."
    case .notProvided: "Quick unlock is not available in this version."
    case .notWorking(let reason): "Quick unlock is not available: \(reason)"
    }
  }
}

/// No quick unlock: the step exists and says "not available".
public struct NoQuickUnlock: QuickUnlockProvider, Sendable {
  /// The provider that provides nothing.
  public init() {}
  /// Never available.
  public var availability: QuickUnlockAvailability { .unavailable(.notProvided) }
  /// Never on.
  public var isEnabled: Bool { false }
  /// Always refused.
  public func enable(with passcode: borrowing SecretBytes) throws(FlowFailure) {
    throw FlowFailure(code: "notProvided", message: QuickUnlockObstacle.notProvided.text)
  }
  /// Nothing to turn off.
  public func disable() throws(FlowFailure) {}
}
