internal import ConsentCore
internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let consentVerify = Verb(
    path: ["consent", "verify"], topic: .consent, summary: "Check the whole record of consent, or one that was exported",
    operands: [
      Operand("FILE", "an exported record (- is stdin); without it, the store's own", isRequired: false, completion: .file)
    ],
    discussion: [
      "Found is every entry that was changed, dropped, swapped or cut off by somebody without the store's key. With FILE no daemon "
        + "is asked: compare the key's fingerprint with one that you know to be the store's, such as that of a receipt.",
      "Exit 78 where the record is faulty, 65 where FILE is no record, 66 where there is none. With --json: count, signedCount, "
        + "keyFingerprint, isComplete (whether an earlier record that was put back would have been found).",
    ],
    examples: [
      ("passcode consent verify", "the store's own record"), ("passcode consent verify record.json", "away from the store"),
    ],
    run: { invocation throws(CommandError) in try ConsentVerifyCommand.run(invocation) })

  static let consentExport = Verb(
    path: ["consent", "export"], topic: .consent, summary: "Write the whole record into a file, to be verified elsewhere",
    operands: [Operand("FILE", "where it goes (- is stdout)", completion: .file)], options: [.force],
    discussion: [
      "Entries, exact texts, signatures and the signed head, as JSON. It holds names and what was agreed to, and no secret. Exit 73 "
        + "where the file exists and --force is not given."
    ],
    examples: [("passcode consent export record.json", "for an auditor")],
    run: { invocation throws(CommandError) in
      guard let target = try OutputFile(invocation.operands[0], invocation) else { return }
      let session = try Session(invocation)
      try target.write(try session.readConsent(ConsentReading(.record)), session)
    })
}

enum ConsentVerifyCommand {
  private struct Finding {
    let count: Int
    let signedCount: Int
    let keyFingerprint: String?
    let isComplete: Bool
  }

  static func run(_ invocation: Invocation) throws(CommandError) {
    if let path = invocation.operands.first { return try verify(path, invocation) }
    let session = try Session(invocation)
    let result = try session.call { client throws(ClientError) in try client.verifyConsent() }
    if let fault = result.fault { throw CommandError(WireError.recordFaulty(reason: fault)) }
    let finding = Finding(
      count: result.count, signedCount: result.signedCount, keyFingerprint: result.keyFingerprint, isComplete: result.isComplete
    )
    try tell(finding, invocation)
    if let place = result.clockSetBackAt { session.note(setBack(place)) }
    if !result.isComplete {
      let reason = session.status.state == .absent ? "there is no store yet to sign it" : "the store is locked"
      session.note("\(reason), so an earlier record that was put back would not have been found")
    }
  }

  private static func verify(_ path: String, _ invocation: Invocation) throws(CommandError) {
    let bytes = try read(path, invocation)
    guard let archive = ConsentArchive(bytes.span) else {
      if let faulty = FaultyConsentRecord(bytes.span) {
        throw CommandError(WireError.recordFaulty(reason: "set aside: \(faulty.fault)"))
      }
      throw CommandError(65, "MalformedRecord", "\(path.shownSafely) is no exported record of consent")
    }
    let log: VerifiedConsentLog
    do throws(ConsentLogFault) { log = try archive.verify() } catch {
      throw CommandError(WireError.recordFaulty(reason: "\(error)"))
    }
    let key = archive.key?.fingerprint.hex
    try tell(
      Finding(count: log.entries.count, signedCount: log.signedCount, keyFingerprint: key, isComplete: false), invocation)
    if let place = log.clockSetBack.first { Output.note(setBack(place), unless: invocation.isQuiet) }
  }

  private static func setBack(_ place: Int) -> String {
    "the clock was set back before entry \(place); the order is the record's own, and no fault"
  }

  private static func read(_ path: String, _ invocation: Invocation) throws(CommandError) -> [UInt8] {
    if path == "-", Terminal.isTerminal(0) {
      throw .usage("this is no text to type; name a file, or pipe it in", verb: invocation.verb)
    }
    do throws(PlatformError) {
      guard path == "-" else { return try Files.read(path, limit: ConsentArchive.maximumByteCount) }
      return try FileDescriptor(owning: 0).readAll(limit: ConsentArchive.maximumByteCount)
    } catch .file(_, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      throw CommandError(66, "NoInput", "there is no file \(path.shownSafely)")
    } catch {
      throw CommandError(error)
    }
  }

  private static func tell(_ result: Finding, _ invocation: Invocation) throws(CommandError) {
    guard invocation.wantsJSON else {
      let entries = Words.count(result.count, "entry", "entries")
      let key = result.keyFingerprint.map { "by the key \($0)" } ?? "by no key yet"
      return try Output.line("good: \(entries), \(result.signedCount) signed \(key)")
    }
    try Output.json { writer in
      writer.beginObject()
      writer.key("count")
      writer.integer(result.count)
      writer.key("signedCount")
      writer.integer(result.signedCount)
      writer.key("keyFingerprint")
      writer.optional(result.keyFingerprint)
      writer.key("isComplete")
      writer.bool(result.isComplete)
      writer.endObject()
    }
  }
}
