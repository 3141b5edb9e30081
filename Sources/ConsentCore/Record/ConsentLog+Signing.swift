internal import SecretMemory

/// A document that was agreed to, with the signatures that it has by now.
public struct SignedDocument: Hashable, Sendable {
  /// The document.
  public let document: ConsentDocument
  /// In which language.
  public let variant: ConsentVariant
  /// The answer that agreed to it.
  public let answer: ConsentEntry
}

/// Why a signature can't be added.
public enum ConsentSigningError: Error, Equatable, Sendable {
  /// The form was not agreed to, or it is no document.
  case nothingToSign
  /// The form in force is another text than the one that was agreed to.
  case formChanged
  /// The signature is not what the document asks for.
  case improper(ConsentModelFault)
  /// The log does not take it.
  case log(ConsentLogError)
}

extension ConsentLog {
  /// The document that was agreed to last, as far as it still holds.
  ///
  /// - Parameters:
  ///   - form: the form in force.
  ///   - log: this log, verified.
  /// - Throws: `nothingToSign`, `formChanged`.
  public func document(
    of form: ConsentForm, from log: VerifiedConsentLog
  ) throws(ConsentSigningError) -> SignedDocument {
    let entries = log.entries(of: form.id)
    guard let place = entries.lastIndex(where: { $0.fact.event != .requested && $0.fact.event != .signed }) else {
      throw .nothingToSign
    }
    let answer = entries[place]
    guard answer.fact.event == .given || answer.fact.event == .renewed else { throw .nothingToSign }
    guard answer.fact.version == form.version, let variant = form.variant(in: answer.fact.locale),
      form.text(of: variant).digest == answer.fact.text
    else { throw .formChanged }
    guard case .document(var document) = variant.content else { throw .nothingToSign }
    for entry in entries[place...] where entry.fact.event != .requested {
      for signature in entry.fact.signatures { document = try signed(document, with: signature) }
    }
    return SignedDocument(document: document, variant: variant, answer: answer)
  }

  /// Records one more signature, with the document on paper as it is then.
  ///
  /// - Parameters:
  ///   - given: the signature; one that was given before is replaced on the paper, and stays in the log.
  ///   - log: this log, verified.
  /// - Throws: as ``document(of:from:)``; `improper`; `log`.
  public mutating func sign(
    _ given: GivenSignature, on form: ConsentForm, from log: VerifiedConsentLog, _ occasion: ConsentOccasion
  ) throws(ConsentSigningError) -> ConsentEntry {
    let current = try document(of: form, from: log)
    guard let place = current.document.signatures.first(where: { $0.id == given.id }) else {
      throw .improper(.unknownSignature)
    }
    let signature: ConsentSignature
    let document: ConsentDocument
    do throws(ConsentModelFault) {
      signature = try place.signed(with: given)
      document = try current.document.signed(with: signature)
    } catch { throw .improper(error) }
    let paper = form.paper(of: document, in: current.variant).json
    var fact = ConsentFact(
      .signed, of: current.answer.fact.subject, person: occasion.person, at: occasion.at, means: occasion.means)
    fact.paper = SHA256.digest(paper.span)
    fact.signatures = [RecordedSignature(signature)]
    do throws(ConsentLogError) {
      return try append(
        fact, attachments: [paper] + [signature.image?.png].compactMap { $0 }, recording: occasion.recording)
    } catch { throw .log(error) }
  }

  private func signed(
    _ document: ConsentDocument, with recorded: RecordedSignature
  ) throws(ConsentSigningError) -> ConsentDocument {
    guard let signedAt = recorded.signedAt, let place = document.signatures.first(where: { $0.id == recorded.id }) else {
      throw .formChanged
    }
    var given = GivenSignature(id: recorded.id, signedAt: signedAt)
    (given.givenName, given.familyName, given.nameOrder) = (recorded.givenName, recorded.familyName, recorded.nameOrder)
    given.fields = Dictionary(recorded.fields.map { ($0.id, $0.value) }) { $1 }
    do throws(ConsentModelFault) {
      if let image = recorded.image, let png = attachments[image] { given.image = try ConsentImage(png: png) }
      return try document.signed(with: try place.signed(with: given))
    } catch { throw .formChanged }
  }
}
