/// One form that is asked, and why.
public struct ConsentAgendaItem: Hashable, Sendable {
  /// The form.
  public let form: ConsentForm
  /// In which language.
  public let variant: ConsentVariant
  /// How the person stands to it.
  public let standing: ConsentStanding

  /// An item.
  public init(form: ConsentForm, variant: ConsentVariant, standing: ConsentStanding) {
    self.form = form
    self.variant = variant
    self.standing = standing
  }

  /// Whether an earlier major version was agreed to: what changed since is told first.
  public var isUpdate: Bool { standing.agreedBefore != nil }
}

/// Which forms a person is asked, in order. Decided from the verified log each time; a log with a fault counts for nothing.
public struct ConsentAgenda: Hashable, Sendable {
  /// The forms, in the order of the set.
  public let items: [ConsentAgendaItem]

  /// Decides it.
  ///
  /// - Parameters:
  ///   - forms: the forms in force.
  ///   - log: the verified log; nil where it has a fault.
  ///   - languages: what the person reads, best first.
  ///   - now: seconds since 1970.
  ///   - rules: when a form that was put off is asked again.
  public init(
    _ forms: ConsentFormSet, log: VerifiedConsentLog?, languages: [LanguageTag], now: Int64, rules: ConsentAskingRules
  ) {
    items = forms.forms.compactMap { form in
      let known = log ?? .unknown
      let standing = ConsentStanding(form.facts, in: known, now: now, rules: rules)
      guard standing.isAsked else { return nil }
      return ConsentAgendaItem(form: form, variant: form.variant(for: languages), standing: standing)
    }
  }
}

/// What a gated call is answered.
public enum ConsentGate: Hashable, Sendable {
  /// Every form that gates the call was agreed to.
  case open
  /// These required forms have no valid answer.
  case required([ConsentFormID])
  /// The log has a fault: nothing in it counts, and these forms gate the call.
  case faulty(ConsentLogFault, [ConsentFormID])

  /// Decides it. Default deny.
  ///
  /// - Parameters:
  ///   - gating: the required forms that gate the call.
  ///   - log: the log, verified, or its fault.
  ///   - now: seconds since 1970.
  public init(_ gating: [ConsentFormFacts], log: Result<VerifiedConsentLog, ConsentLogFault>, now: Int64) {
    if gating.isEmpty {
      self = .open
      return
    }
    switch log {
    case .failure(let fault): self = .faulty(fault, gating.map(\.id))
    case .success(let log):
      let missing = gating.filter { !ConsentStanding($0, in: log, now: now, rules: ConsentAskingRules()).state.isGiven }
      self = missing.isEmpty ? .open : .required(missing.map(\.id))
    }
  }
}

/// An answer without a dialogue: by a command, in a script.
public enum HeadlessAnswer {
  /// Why it is refused.
  public enum Refusal: Error, Hashable, Sendable {
    /// The version is not the one in force; payload: which is.
    case otherVersion(ConsentVersion)
    /// No language's text has this digest.
    case otherText
    /// The form asks for a signature or a sharing choice, which a command of this kind does not carry.
    case needsSignature
  }

  /// The variant that the answer is to. A bare yes names neither version nor text, and is no answer.
  ///
  /// - Parameters:
  ///   - form: the form in force.
  ///   - version: which one was read.
  ///   - text: the digest of the text that was read.
  /// - Throws: why it is refused.
  public static func variant(
    of form: ConsentForm, version: ConsentVersion, text: DigestOfText
  ) throws(Refusal) -> ConsentVariant {
    if form.version != version { throw .otherVersion(form.version) }
    guard let variant = form.variants.first(where: { form.text(of: $0).digest == text }) else { throw .otherText }
    guard case .document(let document) = variant.content else { return variant }
    if document.sharing != nil || document.signatures.first.map({ $0.requiresName || $0.requiresImage }) == true {
      throw .needsSignature
    }
    return variant
  }
}
