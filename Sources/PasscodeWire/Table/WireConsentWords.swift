/// How a person stands to a form.
public enum WireConsentState: String, CaseIterable, Sendable {
  /// There is no entry.
  case neverAsked
  /// It was shown, and not answered.
  case requested
  /// *Not now.*
  case deferred
  /// Denied.
  case refused
  /// Agreed to.
  case given
  /// Agreed to again.
  case renewed
  /// Agreed to before it was changed in a way that asks again.
  case superseded
  /// Agreed to longer ago than the answer holds.
  case expired
  /// Taken back.
  case withdrawn

  /// Whether it is consent.
  public var isGiven: Bool { self == .given || self == .renewed }
}

/// What an entry of the record says happened.
public enum WireConsentEvent: String, CaseIterable, Sendable {
  /// The form was shown, and not answered.
  case requested
  /// *Not now.*
  case deferred
  /// Denied.
  case refused
  /// Agreed to.
  case given
  /// Agreed to again.
  case renewed
  /// One more signature.
  case signed
  /// A later version took its place.
  case superseded
  /// Its time ran out.
  case expired
  /// Taken back.
  case withdrawn
  /// The record was begun in the place of a faulty one; it is about no form.
  case restarted
}

/// What agreeing to a form is.
public enum WireConsentKind: String, CaseIterable, Sendable {
  /// Terms that are accepted.
  case terms
  /// A consent to a use of data.
  case consent
}

/// How an answer was given.
public enum WireConsentMeans: String, CaseIterable, Sendable {
  /// Page by page on a terminal.
  case terminal
  /// In a dialog.
  case pinentry
  /// By a command that named version and digest.
  case command
  /// By another client of the daemon.
  case client
  /// In an app, by the library.
  case app
}

/// The answer to a form.
public enum WireConsentChoice: String, CaseIterable, Sendable {
  /// Agreed to.
  case agreed
  /// A required form was denied.
  case denied
  /// An optional form was put off.
  case notNow
  /// It was shown, and not answered.
  case requested
}

/// With whom data is shared.
public enum WireSharing: String, CaseIterable, Sendable {
  /// With those who ask, and with qualified others.
  case widely
  /// With those who ask only.
  case narrowly
}

/// Which name of a signer comes first.
public enum WireNameOrder: String, CaseIterable, Sendable {
  /// Given, then family.
  case givenFirst
  /// Family, then given.
  case familyFirst
}

/// Whether the store's key was there when an entry was recorded.
public enum WireRecording: String, CaseIterable, Sendable {
  /// There was no store.
  case beforeStore
  /// The store was locked.
  case whileLocked
  /// It was there.
  case signed
}

/// What `Read` reads.
public enum WireConsentPiece: String, CaseIterable, Sendable {
  /// A form for a program that shows it.
  case form
  /// The exact text of a form.
  case text
  /// The receipt of an entry.
  case receipt
  /// The receipt as a paper.
  case receiptPaper
  /// The document that was signed last, as a paper.
  case document
  /// The whole record.
  case record
}
