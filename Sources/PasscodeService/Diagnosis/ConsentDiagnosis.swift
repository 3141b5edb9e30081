internal import ConsentCore
internal import PasscodeCore
internal import PasscodeWire

/// A look at consent: the forms, what they gate, and the record. It waits for nobody and names no credential.
struct ConsentDiagnosis {
  private let service: Service

  init(_ service: Service) { self.service = service }

  /// What was looked at: `consent`, and `record` where there is one to look at.
  var findings: [WireFinding] {
    service.consent.update(service.policies.current.effective.policy.consent, waits: false)
    return [forms] + (record.map { [$0] } ?? [])
  }

  private var forms: WireFinding {
    let inForce = service.consent.forms.current
    if let fault = inForce.faults.first {
      return WireFinding(
        "consent", .bad, "a form is faulty, \(gatesWaiting(for: inForce)): \(fault.words)", remedy: Self.remedy(fault))
    }
    let closed = ConsentDecision.unopenable(service.consent.gates, inForce)
    if let gate = closed.first {
      let folder = service.configuration.consentFolders.administrator
      return WireFinding(
        "consent", .bad,
        "the policy's gate of the form \"\(gate.form)\" stays closed: no form of the administrator's has this id",
        remedy: "put the form into \(folder), or take the gate out of \(service.configuration.policies.administrator)")
    }
    let gates = ConsentDecision.gates(service.consent.gates, inForce).filter { !$0.gates.isEmpty }
    guard !gates.isEmpty else {
      return WireFinding("consent", .good, inForce.set.forms.isEmpty ? "there is no form" : "no form gates anything")
    }
    let words = gates.map { "\($0.form) gates \(Self.words($0.gates))" }.joined(separator: "; ")
    let pending = service.consent.pending
    if pending.isEmpty { return WireFinding("consent", .good, words) }
    return WireFinding(
      "consent", .note, "\(words); not agreed to: \(pending.joined(separator: ", "))", remedy: "passcode consent review")
  }

  /// What a faulty file keeps closed.
  private func gatesWaiting(for inForce: ConsentForms.InForce) -> String {
    let closed = ConsentDecision.unopenable(service.consent.gates, inForce).map(\.form)
    return closed.isEmpty
      ? "an earlier good version may be in force" : "the gates of \(closed.joined(separator: ", ")) stay closed"
  }

  private static func remedy(_ fault: WireFormFault) -> String {
    fault.path.hasSuffix(".json") ? "passcode consent validate \(fault.path)" : "mend \(fault.path)"
  }

  /// What is gated, without the names of folders: these are the names of credentials in part.
  private static func words(_ gates: [String]) -> String {
    let folders = gates.count { $0 != "create" && $0 != "unlock" }
    let named = ["create", "unlock"].filter { gates.contains($0) }
    return (named + (folders == 0 ? [] : [folders == 1 ? "1 folder" : "\(folders) folders"])).joined(separator: ", ")
  }

  /// Looked at where the store is open: its key has to be there to tell.
  private var record: WireFinding? {
    guard service.holder.isOpen else { return nil }
    let reading = service.consent.records.read()
    do throws(ConsentFault) {
      let log = try reading.verified()
      if log.entries.isEmpty { return nil }
      let note = log.clockSetBack.isEmpty ? "" : "; the clock was set back between entries"
      return WireFinding(
        "record", .good, "the record of consent is sound, \(log.entries.count) long, \(log.signedCount) signed\(note)")
    } catch {
      return WireFinding("record", .bad, "nothing in the record of consent counts: \(error.words)", remedy: error.wayOut)
    }
  }
}
