/// An agenda as the daemon decided it: a client that shows the forms has no record to decide from, and need not be believed
/// when it answers.
extension ConsentAgenda {
  /// Asks these forms, in this order.
  public init(decided items: [ConsentAgendaItem]) { self.items = items }
}

extension ConsentAgendaItem {
  /// A form that is asked in one of its languages.
  public init(_ form: ConsentForm, in variant: ConsentVariant, standing: ConsentStanding) {
    self.form = form
    self.variant = variant
    self.standing = standing
  }
}

extension ConsentStanding {
  /// A standing as the daemon derived it.
  public init(decided state: ConsentState, isAsked: Bool, agreedBefore: ConsentVersion?) {
    self.state = state
    self.isAsked = isAsked
    self.agreedBefore = agreedBefore
  }
}
