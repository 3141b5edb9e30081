internal import ConsentCore
internal import PasscodeCore
internal import PasscodeStore

/// When consent counts for the store as a whole.
extension Service {
  /// The store is open: what was recorded without its key is signed, and everything is looked at once more, with its key.
  func consentOpened() {
    do throws(ConsentRefused) { try consent.records.settle() } catch { log.note(.recordFault("\(error)")) }
    if case .failure(let fault) = consent.records.read().checked { log.note(.recordFault("\(fault)")) }
    consentChanged()
  }

  /// Something was recorded. A store that may not be open any more is locked when this returns.
  func consentChanged() {
    consent.changed()
    deposits.start(policies.current.effective.policy.consent.depositCommand)
    guard consent.decision.missing["unlock"] != nil else { return }
    var isOpen = false
    holder.withOpenStore { isOpen = $0.condition != .locked }
    if isOpen { lock(.consentMissing) }
  }
}
