public import SecretMemory

/// An app in the place of the built-in store: it takes the finished passcode and does with it what it wants.
///
/// ``shouldTryPasscode(_:mode:)`` and the policy are enough; the rest of ``PasscodeAuthority`` has defaults. An authority that can tell more than the three errors
/// (a wait, an expired passcode, a failing disk) conforms to ``PasscodeAuthority`` itself.
public protocol PasscodeFlowDelegate: PasscodeAuthority {
  /// Take the passcode as the effective one (`create`, `change`), or try it (`match`, `matchForChange`). Returning means yes.
  ///
  /// The app counts the tries: a flow counts nothing.
  ///
  /// - Throws: see ``PasscodeFlowError``, with what each means in which mode.
  func shouldTryPasscode(_ passcode: borrowing SecretBytes, mode: PasscodeInputMode) throws(PasscodeFlowError)
}

/// Why an app did not take a passcode. In its numbers, `passcodePolicyNoLimit` (-1) stands for no limit.
public enum PasscodeFlowError: Error, Equatable, Sendable {
  /// It is not valid, for a reason that the app's own `code` names. While matching: a wrong try. While setting: the flow ends,
  /// and nothing is stored.
  case invalidPasscode(code: String, triesRemaining: Int)
  /// It is not the one that was set; as `invalidPasscode`, with a message for the person.
  case failedToMatch(message: String, triesRemaining: Int)
  /// It does not meet the policy; consumes no try, and the entry starts again.
  case failedToMeetPolicy(message: String)
}

/// In a policy's and an error's numbers: no limit.
public let passcodePolicyNoLimit = -1

extension PasscodeFlowDelegate {
  /// ``shouldTryPasscode(_:mode:)`` with its errors as answers.
  public func tryPasscode(_ passcode: borrowing SecretBytes, mode: PasscodeInputMode) -> PasscodeAnswer {
    do {
      try shouldTryPasscode(passcode, mode: mode)
      return .accepted
    } catch {
      return error.answer(in: mode)
    }
  }
}

extension PasscodeFlowError {
  /// The answer that an error stands for. No tries remaining means that the door is closed.
  package func answer(in mode: PasscodeInputMode) -> PasscodeAnswer {
    switch self {
    case .failedToMeetPolicy(let message):
      .belowPolicy(message: message)
    case .invalidPasscode(let text, let triesRemaining), .failedToMatch(let text, let triesRemaining):
      switch mode {
      case .create, .change: .failed(FlowFailure(code: code, message: text))
      case .match, .matchForChange:
        triesRemaining == 0
          ? .lockedOut(retryAfterSeconds: nil)
          : .wrong(
            WrongTry(message: text, triesRemaining: triesRemaining < 0 ? nil : triesRemaining))
      }
    }
  }

  private var code: String {
    switch self {
    case .invalidPasscode(let code, _): code
    case .failedToMatch: "failedToMatch"
    case .failedToMeetPolicy: "failedToMeetPolicy"
    }
  }
}
