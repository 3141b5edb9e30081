internal import ConsentCore
internal import PasscodeCore

/// What is closed for want of consent, as long as nothing changes.
struct ConsentDecision: Sendable {
  /// The forms without consent, by what they gate: `create`, `unlock`, or the beginning of names.
  private(set) var missing: [String: [String]] = [:]
  /// When consent ends that is given now, in seconds since 1970.
  private(set) var endsAt: Int64?
  /// When it was made: an earlier clock decides anew.
  private(set) var madeAt = Int64.min

  /// Nothing is closed.
  static let open = ConsentDecision()

  private init() {}

  /// Decides. Default deny: a gate is open only by a valid record of consent to a form that is in force.
  ///
  /// - Parameters:
  ///   - gates: what the policy says each form gates.
  ///   - log: the record, verified; nil where nothing in it counts.
  init(_ gates: [GatedForm], _ forms: ConsentForms.InForce, _ log: VerifiedConsentLog?, now: Int64) {
    madeAt = now
    for gate in Self.unopenable(gates, forms) { close(gate.gates, for: gate.form) }
    for (form, closed) in Self.gates(gates, forms) {
      guard let facts = ConsentFormID(form).flatMap({ forms.facts[$0] }) else { continue }
      guard let log, ConsentStanding(facts, in: log, now: now, rules: ConsentAskingRules()).state.isGiven else {
        close(closed, for: form)
        continue
      }
      let end = log.answer(to: facts.id)?.fact.expiresAt
      endsAt = [endsAt, end].compactMap { $0 }.min()
    }
  }

  private mutating func close(_ gates: [String], for form: String) {
    for gate in gates { missing[gate, default: []].append(form) }
  }

  /// The gates that no form can open: of forms that are not there, and of a user's, which opens nothing but the creation of a
  /// store.
  static func unopenable(_ gates: [GatedForm], _ forms: ConsentForms.InForce) -> [GatedForm] {
    gates.compactMap { gate in
      guard let form = ConsentFormID(gate.form).flatMap({ forms.set[$0] }) else { return gate }
      let closed = form.origin == .user ? gate.gates.filter { $0 != "create" } : []
      return closed.isEmpty ? nil : GatedForm(form: gate.form, gates: closed)
    }
  }

  /// What each form gates: what the policy says, and a new store where it is required. A user's form gates nothing else.
  static func gates(_ gates: [GatedForm], _ forms: ConsentForms.InForce) -> [(form: String, gates: [String])] {
    var all = gates.map { (form: $0.form, gates: $0.gates) }
    for form in forms.set.forms where form.isRequired {
      if let index = all.firstIndex(where: { $0.form == form.id.description }) {
        if !all[index].gates.contains("create") { all[index].gates.append("create") }
      } else {
        all.append((form: form.id.description, gates: ["create"]))
      }
    }
    return all.map { form, gates in
      let origin = ConsentFormID(form).flatMap { forms.set[$0] }?.origin
      return (form, origin == .user ? gates.filter { $0 == "create" } : gates)
    }
  }

  /// The forms that close a name, or a folder, which may be given without its slash.
  func missing(for name: Span<UInt8>, isFolder: Bool) -> [String] {
    var forms: [String] = []
    for (gate, ids) in missing where gate != "create" && gate != "unlock" {
      if Self.starts(name, with: gate) || isFolder && gate.hasSuffix("/") && Self.starts(name, with: String(gate.dropLast())) {
        forms += ids
      }
    }
    return Array(Set(forms)).sorted()
  }

  private static func starts(_ name: Span<UInt8>, with gate: String) -> Bool {
    let prefix = gate.utf8Span.span
    guard name.count >= prefix.count else { return false }
    for index in prefix.indices where name[index] != prefix[index] { return false }
    return true
  }
}
