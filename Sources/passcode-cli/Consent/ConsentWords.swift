internal import ConsentCore
internal import PasscodeWire
internal import StrictJSON

/// What states, events and means are called.
enum ConsentWords {
  static func state(_ state: WireConsentState) -> String {
    switch state {
    case .neverAsked: "never asked"
    case .requested: "shown, not answered"
    case .deferred: "put off"
    case .refused: "denied"
    case .given: "agreed"
    case .renewed: "agreed again"
    case .superseded: "agreed to an earlier text"
    case .expired: "agreed, but expired"
    case .withdrawn: "withdrawn"
    }
  }

  static func event(_ event: WireConsentEvent) -> String {
    switch event {
    case .requested: "shown"
    case .deferred: "put off"
    case .refused: "denied"
    case .given: "agreed"
    case .renewed: "agreed again"
    case .signed: "signed"
    case .superseded: "superseded"
    case .expired: "expired"
    case .withdrawn: "withdrawn"
    case .restarted: "begun anew"
    }
  }

  static func means(_ means: WireConsentMeans) -> String {
    switch means {
    case .terminal: "on a terminal"
    case .pinentry: "in a dialog"
    case .command: "by a command"
    case .client: "by a client"
    case .app: "in an app"
    }
  }

  static func recording(_ record: WireConsentRecord) -> String {
    switch record.recording {
    case .beforeStore: record.isSigned ? "before the store, signed since" : "before the store"
    case .whileLocked: record.isSigned ? "while locked, signed since" : "while locked, not signed yet"
    case .signed: record.isSigned ? "signed" : "not signed"
    }
  }

  static func need(_ form: WireConsentForm) -> String { form.isRequired ? "required" : "optional" }

  /// How a script answers a form that it has read.
  ///
  /// - Parameter verb: `accept`, `decline` or `defer`.
  static func command(_ verb: String, _ form: WireConsentForm, _ demand: AnswerDemand? = nil) -> String {
    (["passcode consent \(verb) \(form.id) --version \(form.version) --sha256 \(form.sha256)"] + (demand?.options ?? []))
      .joined(separator: " ")
  }

  static func receiptCommand(_ record: WireConsentRecord) -> String {
    "passcode consent receipt \(record.form) --entry \(record.sequence)"
  }

  /// What an entry means to the one who made it.
  static func outcome(_ record: WireConsentRecord) -> String {
    let form = "'\(record.form.shownSafely)' \(record.version.shownSafely)"
    let what =
      switch record.event {
      case .requested: "shown \(form), without an answer"
      case .deferred: "put off \(form)"
      case .refused: "denied \(form)"
      case .given, .renewed: "agreed to \(form)"
      case .signed: "signed \(form)"
      case .superseded, .expired: "\(event(record.event)): \(form)"
      case .withdrawn: "withdrew consent to \(form)"
      case .restarted: "began the record anew"
      }
    return "\(what); receipt: \(receiptCommand(record))"
  }
}
