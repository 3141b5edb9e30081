internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire

/// The daemon's side of consent: the forms in force, the record of the answers, and what is closed for want of one.
final class Consent: Sendable {
  private struct State {
    var gates: [GatedForm] = []
    var rules = ConsentAskingRules()
    /// Nil where it has to be made anew.
    var decision: ConsentDecision?
    /// Whether the record was looked at with the key of the store that is open.
    var isChecked = false
    /// Counts what a decision depends on, so that an old one is never kept.
    var generation = 0

    mutating func forget() {
      decision = nil
      generation += 1
    }
  }

  let forms: ConsentForms
  let records: ConsentRecords
  private let clock: ServiceClock
  private let state = Monitor(State())

  init(_ configuration: ServiceConfiguration, _ holder: StoreHolder) {
    forms = ConsentForms(configuration)
    records = ConsentRecords(holder, journal: ConsentJournal(besideStore: configuration.storePath))
    clock = configuration.clock
  }

  /// Seconds since 1970.
  var now: Int64 { clock.wallSeconds() }

  /// When a form that was put off is asked again.
  var rules: ConsentAskingRules { state.withLock { $0.rules } }

  /// What the policy says that each form gates.
  var gates: [GatedForm] { state.withLock { $0.gates } }

  /// Whether the record was looked at with the key of the store that is open. Until then nothing is taken out of it that a gate
  /// could close.
  var isChecked: Bool {
    get { state.withLock { $0.isChecked } }
    set { state.withLock { $0.isChecked = newValue } }
  }

  /// Takes the policy in force, and reads forms that have changed.
  ///
  /// - Returns: whether anything has changed that decides on gates.
  @discardableResult
  func update(_ settings: ConsentSettings, waits: Bool = true) -> Bool {
    let hasChanged = forms.refresh(waits: waits)
    return state.withLock { state in
      let isNew = state.gates != settings.gates || hasChanged
      if isNew { state.forget() }
      state.gates = settings.gates
      state.rules = ConsentAskingRules(askAgainDays: settings.askAgainDays, maxDeferrals: settings.maxDeferrals)
      return isNew
    }
  }

  /// The record, or the store that it lies in, may have changed.
  func changed() { state.withLock { $0.forget() } }

  // MARK: - Deciding

  /// What is closed now.
  var decision: ConsentDecision {
    let (made, gates, generation) = state.withLock { ($0.decision, $0.gates, $0.generation) }
    let now = now
    if let made, now >= made.madeAt, made.endsAt.map({ now < $0 }) ?? true { return made }
    let inForce = forms.current
    // Without forms and gates nobody has to look at the record.
    guard !gates.isEmpty || inForce.set.forms.contains(where: \.isRequired) else { return keep(.open, generation) }
    let log = try? records.read().verified()
    return keep(ConsentDecision(gates, inForce, log, now: now), generation)
  }

  private func keep(_ decision: ConsentDecision, _ generation: Int) -> ConsentDecision {
    state.withLock { if $0.generation == generation { $0.decision = decision } }
    return decision
  }

  /// - Throws: `consentRequired` with the forms that close what is asked for: `create` or `unlock`.
  func require(_ gate: String) throws(WireError) {
    if let missing = decision.missing[gate] { throw .consentRequired(forms: missing) }
  }

  /// - Throws: `consentRequired` with the forms that close an open store, or a name in it.
  ///
  /// - Parameter isFolder: the name is a folder's, with or without its slash.
  func requireUse(of name: Span<UInt8>? = nil, isFolder: Bool = false) throws(WireError) {
    if state.withLock({ !$0.isChecked && !$0.gates.isEmpty }) { throw .locked }
    let decision = decision
    if decision.missing.isEmpty { return }
    if let missing = decision.missing["unlock"] { throw .consentRequired(forms: missing) }
    guard let name else { return }
    let missing = decision.missing(for: name, isFolder: isFolder)
    if !missing.isEmpty { throw .consentRequired(forms: missing) }
  }

  /// The required forms that close something.
  var pending: [String] { Array(Set(decision.missing.values.joined())).sorted() }
}
