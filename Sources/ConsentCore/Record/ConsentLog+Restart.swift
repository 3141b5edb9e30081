public import SecretMemory
internal import StrictJSON

/// A log with a fault that was set aside: what the first entry of the log after it says.
public struct SetAsideConsentLog: Hashable, Sendable {
  /// What is wrong with it, in words.
  public var fault: String
  /// The name of the file that it is kept in.
  public var file: String
  /// SHA-256 of that file.
  public var sha256: Digest

  /// A log that is kept in a file.
  public init(fault: String, file: String, sha256: Digest) {
    self.fault = fault
    self.file = file
    self.sha256 = sha256
  }

  /// The exact text of the entry.
  public var text: String {
    """
    The record of consent before this one is faulty and was set aside: \(fault).
    Nothing in it counts. Every form is asked again.
    It is kept in the file \(file), SHA-256 \(sha256.hex).

    """
  }

  /// What a receipt has to tell, as ``ConsentForm/details(of:)``.
  var details: [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.write("title", "The record was begun anew")
    json.key("setAside")
    json.beginObject()
    json.write("fault", fault)
    json.write("file", file)
    json.write("sha256", sha256.hex)
    json.endObject()
    json.endObject()
    return json.finish().bytes
  }
}

extension ConsentFormID {
  /// What the entry is about that begins a log in the place of a faulty one: no form can have this id.
  public static let record = ConsentFormID("passcoded.record")!
}

extension ConsentLog {
  /// Begins this log, which has no entry yet, in the place of one with a fault. In it nobody has agreed to anything.
  ///
  /// - Throws: as ``append(_:attachments:recording:)``.
  public mutating func begin(
    after faulty: SetAsideConsentLog, _ occasion: ConsentOccasion
  ) throws(ConsentLogError) -> ConsentEntry {
    let text = Array(faulty.text.utf8)
    let subject = ConsentSubject(
      form: .record, version: ConsentVersion("1.0")!, locale: LanguageTag("en")!, kind: .terms,
      text: SHA256.digest(text.span), details: SHA256.digest(faulty.details.span))
    let fact = ConsentFact(.restarted, of: subject, person: occasion.person, at: occasion.at, means: occasion.means)
    return try append(fact, attachments: [text, faulty.details], recording: occasion.recording)
  }
}
