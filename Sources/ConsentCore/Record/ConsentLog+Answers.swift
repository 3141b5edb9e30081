internal import SecretMemory

/// Who answers, when and how.
public struct ConsentOccasion: Hashable, Sendable {
  /// Who.
  public var person: ConsentPerson
  /// When.
  public var at: ZonedInstant
  /// How.
  public var means: ConsentMeans
  /// What the store's key has to do with the record.
  public var recording: ConsentRecording

  /// An occasion.
  public init(person: ConsentPerson, at: ZonedInstant, means: ConsentMeans, recording: ConsentRecording = .signed) {
    self.person = person
    self.at = at
    self.means = means
    self.recording = recording
  }
}

extension ConsentLog {
  /// Records one answer of a flow, with the exact text, the document on paper and the drawn signatures.
  ///
  /// - Throws: as ``append(_:attachments:recording:)``.
  public mutating func append(_ answer: ConsentAnswer, _ occasion: ConsentOccasion) throws(ConsentLogError) -> ConsentEntry {
    let (form, variant) = (answer.item.form, answer.item.variant)
    var fact = ConsentFact(
      answer.event, of: form.subject(in: variant), person: occasion.person, at: occasion.at, means: occasion.means)
    var attachments = [Array(form.text(of: variant).text.utf8), form.details(of: variant)]
    if answer.choice == .agreed {
      fact.expiresAt = form.validDays.map { min(ZonedInstant.latest, occasion.at.seconds + Int64($0) * 86_400) }
      fact.sharing = answer.sharing
    }
    if let document = answer.document {
      let paper = form.paper(of: document, in: variant).json
      fact.paper = SHA256.digest(paper.span)
      fact.signatures = document.signatures.filter { $0.signedAt != nil }.map { RecordedSignature($0) }
      attachments += [paper] + document.signatures.compactMap(\.image?.png)
    }
    return try append(fact, attachments: attachments, recording: occasion.recording)
  }

  /// Takes back what was agreed to: at once, without a question, as easily as it was given.
  ///
  /// - Parameters:
  ///   - form: which form; it need not be in force any more.
  ///   - log: this log, verified.
  /// - Returns: the entry; nil where there is nothing to take back.
  /// - Throws: as ``append(_:attachments:recording:)``.
  public mutating func withdraw(
    _ form: ConsentFormID, from log: VerifiedConsentLog, _ occasion: ConsentOccasion
  ) throws(ConsentLogError) -> ConsentEntry? {
    let last = log.answer(to: form)
    guard let given = last?.fact, given.event == .given || given.event == .renewed || given.event == .expired else {
      return nil
    }
    let fact = ConsentFact(
      .withdrawn, of: given.subject, person: occasion.person, at: occasion.at, means: occasion.means)
    return try append(fact, attachments: [], recording: occasion.recording)
  }

  /// The log of a new store from the journal of before: the same entries, which stay marked, under the same id.
  ///
  /// - Throws: the journal's fault: a faulty journal is not adopted.
  public static func adopting(_ journal: ConsentLog) throws(ConsentLogFault) -> ConsentLog {
    _ = try journal.verify(.journal)
    return journal
  }
}
