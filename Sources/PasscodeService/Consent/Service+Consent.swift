internal import ConsentCore
internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire

/// When consent counts for the store as a whole.
extension Service {
  /// - Throws: `consentRequired`; `policyFault` where the administrator's forms are not all known.
  func requireConsentToCreate() throws(WireError) {
    consent.update(policies.current.effective.policy.consent)
    if let fault = consent.forms.current.administratorFault {
      throw .policyFault(file: fault.path, line: fault.line, column: fault.column, message: fault.message)
    }
    try consent.require("create")
  }

  /// The store is open: what was recorded without its key is signed, and everything is looked at once more, with its key. A store
  /// that may not be open is locked again when this returns.
  ///
  /// It runs within the step of a flow too, and so ends none.
  func consentOpened() {
    settleConsent()
    consent.isChecked = true
    handReceiptsOn()
    guard consent.decision.missing["unlock"] != nil else { return }
    keeper.closed()
    lockStore(.consentMissing)
    board.change()
  }

  /// Takes what waits in the journal into the store that is there, and signs what can be signed.
  func settleConsent() {
    do throws(ConsentRefused) { try consent.records.settle() } catch {
      if case .fault(let fault) = error { log.note(.recordFault("\(fault)")) } else { log.note(.recordFault("\(error)")) }
    }
    consent.changed()
  }

  /// Something was recorded, or a form or the policy has changed. A store that may not be open any more is locked when this
  /// returns.
  func consentChanged() {
    consent.changed()
    handReceiptsOn()
    guard consent.decision.missing["unlock"] != nil else { return }
    var isOpen = false
    holder.withOpenStore { isOpen = $0.condition != .locked }
    if isOpen { lock(.consentMissing) }
  }

  private func handReceiptsOn() { deposits.start(policies.current.effective.policy.consent.depositCommand) }
}
