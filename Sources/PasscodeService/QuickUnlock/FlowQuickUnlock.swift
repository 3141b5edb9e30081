internal import PasscodeCore
internal import SecretMemory

/// Quick unlock as a flow of the daemon has it.
///
/// A change renews it, or drops it, together with the passcode; what is left to do at its end is to say that it was dropped.
final class FlowQuickUnlock: QuickUnlockProvider {
  private let service: Service
  private let authority: StoreAuthority
  private let answer: Bool?

  /// - Parameter answer: to the offer, where it was given in advance: a keyring that is not wanted is not tried out.
  init(_ service: Service, _ authority: StoreAuthority, answer: Bool?) {
    self.service = service
    self.authority = authority
    self.answer = answer
  }

  var availability: QuickUnlockAvailability { answer == false ? .available : service.quickUnlock.availability }

  var isEnabled: Bool { authority.hasDroppedQuickUnlock }

  func enable(with passcode: borrowing SecretBytes) throws(FlowFailure) {
    if authority.hasDroppedQuickUnlock {
      throw FlowFailure(
        code: "quickUnlockDropped", message: "Quick unlock is off now: its key could not be renewed. Turn it on again later.")
    }
    try authority.enableQuickUnlock(passcode)
  }

  func disable() {}
}
