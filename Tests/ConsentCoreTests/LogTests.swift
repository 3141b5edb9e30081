import ConsentCore
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite("Consent log") struct LogTests {
  /// The log changed in one way, and how.
  private func damages(_ log: ConsentLog) -> [(what: String, log: ConsentLog)] {
    var damages: [(String, ConsentLog)] = []
    func with(_ what: String, entries: [[UInt8]]? = nil, attachments: [Digest: [UInt8]]? = nil) {
      damages.append(
        (what, ConsentLog(id: log.id, entries: entries ?? log.entries, attachments: attachments ?? log.attachments)))
    }
    for index in log.entries.indices {
      for byte in log.entries[index].indices {
        var entries = log.entries
        entries[index][byte] ^= 1
        with("bit of \(index)", entries: entries)
      }
      var entries = log.entries
      entries.remove(at: index)
      with("dropped \(index)", entries: entries)
      entries.insert(log.entries[index], at: entries.count / 2)
      if entries != log.entries { with("moved \(index)", entries: entries) }
      for other in log.entries.indices where other > index {
        var entries = log.entries
        entries.swapAt(index, other)
        with("swapped \(index) \(other)", entries: entries)
      }
      with("cut at \(index)", entries: Array(log.entries.prefix(index)))
      with("doubled \(index)", entries: Array(log.entries.prefix(index + 1)) + log.entries.suffix(from: index))
    }
    for (digest, bytes) in log.attachments {
      var attachments = log.attachments
      attachments[digest] = nil
      with("attachment dropped", attachments: attachments)
      attachments[digest] = bytes + [0]
      with("attachment changed", attachments: attachments)
    }
    return damages
  }

  @Test("each entry altered, dropped, moved, swapped, doubled, cut off, each attachment changed: found, gate closed")
  func damage() throws {
    let log = try sampleLog()
    let key = try Ed25519.SecretKey.random()
    let head = ConsentHead(log.tip, signedBy: key)
    let gating = [documentFacts(log)]
    let whole = try log.verify(.head(head, key: key.publicKey))
    #expect(whole.entries.count == 6)
    #expect(ConsentGate(gating, log: .success(whole), now: 10) == .open)
    var count = 0
    for (what, damaged) in damages(log) {
      count += 1
      do throws(ConsentLogFault) {
        _ = try damaged.verify(.head(head, key: key.publicKey))
        Issue.record("\(what) is not found")
      } catch {
        #expect(ConsentGate(gating, log: .failure(error), now: 10) == .faulty(error, gating.map(\.id)))
      }
    }
    #expect(count > 1500)
  }

  /// The facts of the signed document in the sample.
  private func documentFacts(_ log: ConsentLog) -> ConsentFormFacts {
    let fact = ConsentEntry(log.entries[5])!.fact
    return ConsentFormFacts(id: fact.form, version: fact.version, isRequired: true, digests: [fact.locale: fact.text])
  }

  @Test("a fault names what is wrong where") func namedFaults() throws {
    let log = try sampleLog()
    let key = try Ed25519.SecretKey.random()
    let head = ConsentHead(log.tip, signedBy: key)
    func fault(_ entries: [[UInt8]], _ given: ConsentHead? = nil) -> ConsentLogFault? {
      let damaged = ConsentLog(id: log.id, entries: entries, attachments: log.attachments)
      return #expect(throws: ConsentLogFault.self) { try damaged.verify(.head(given ?? head, key: key.publicKey)) }
    }
    #expect(fault(Array(log.entries.prefix(3))) == .cutOff(head: 6, found: 3))
    #expect(fault([log.entries[1], log.entries[0]] + log.entries.dropFirst(2)) == .outOfPlace(1))
    #expect(fault(Array(log.entries.dropFirst())) == .outOfPlace(1))
    #expect(fault(log.entries + [[1, 2]]) == .unreadable(7))
    var test = TestLog()
    for index in 0..<6 { try test.add(.given, pagesForm("x"), at: Int64(index)) }
    let mixed = ConsentLog(
      id: log.id, entries: log.entries.dropLast() + [test.log.entries[5]],
      attachments: log.attachments.merging(test.log.attachments) { $1 })
    #expect(throws: ConsentLogFault.brokenChain(6)) { try mixed.verify(.head(head, key: key.publicKey)) }
    #expect(throws: ConsentLogFault.headMissing) { try log.verify(.head(nil, key: key.publicKey)) }
  }

  @Test("a log written anew with its chain in order is found by its head") func rewritten() throws {
    let key = try Ed25519.SecretKey.random()
    let other = try Ed25519.SecretKey.random()
    let log = try sampleLog()
    let head = ConsentHead(log.tip, signedBy: key)
    var anew = TestLog()
    for index in 0..<6 { try anew.add(.given, pagesForm("form\(index)"), at: 1) }
    #expect(throws: ConsentLogFault.lastAltered) { try anew.log.verify(.head(head, key: key.publicKey)) }
    let forged = ConsentHead(anew.log.tip, signedBy: other)
    #expect(throws: ConsentLogFault.headForged) { try anew.log.verify(.head(forged, key: key.publicKey)) }
    let foreign = TestLog(8).log
    let foreignHead = ConsentHead(foreign.tip, signedBy: key)
    #expect(throws: ConsentLogFault.headForged) { try TestLog(7).log.verify(.head(foreignHead, key: key.publicKey)) }
    var bad = head.signature
    bad[10] ^= 1
    let altered = ConsentHead(tip: head.tip, signature: bad)
    #expect(throws: ConsentLogFault.headForged) { try log.verify(.head(altered, key: key.publicKey)) }
  }

  @Test("the journal is adopted whole, stays marked, and what follows is not marked") func adoption() throws {
    let journal = try sampleLog(beforeStore: true)
    var log = TestLog()
    log.log = try ConsentLog.adopting(journal)
    try log.add(.given, pagesForm("later"), at: 20)
    let verified = try log.verified()
    #expect(verified.entries.map(\.recording) == Array(repeating: .beforeStore, count: 6) + [.signed])
    log.recording = .beforeStore
    try log.add(.given, pagesForm("later"), at: 21)
    #expect(throws: ConsentLogFault.misplacedMark(8)) { try log.verified() }
  }

  @Test("a journal with a fault, or with an entry that is not marked, is not adopted") func faultyJournal() throws {
    #expect(throws: ConsentLogFault.misplacedMark(1)) { try ConsentLog.adopting(try sampleLog()) }
    let journal = try sampleLog(beforeStore: true)
    let cut = ConsentLog(id: journal.id, entries: Array(journal.entries.dropFirst()), attachments: journal.attachments)
    #expect(throws: ConsentLogFault.outOfPlace(1)) { try ConsentLog.adopting(cut) }
  }

  @Test("what can't be read back, or lacks an attachment, is not added") func refused() throws {
    let form = pagesForm("a")
    var log = TestLog().log
    var fact = ConsentFact(.given, of: form.subject(in: form.variants[0]), person: person, at: instant(0), means: .app)
    let before = log
    #expect(throws: ConsentLogError.attachmentMissing) { try log.append(fact, attachments: []) }
    var signature = ConsentSignature(id: "a", role: String(repeating: "x", count: 70_000))
    signature.signedAt = instant(0)
    fact.signatures = [RecordedSignature(signature)]
    let attachments = [Array(form.text(of: form.variants[0]).text.utf8), form.details(of: form.variants[0])]
    #expect(throws: ConsentLogError.entryTooLong) { try log.append(fact, attachments: attachments) }
    #expect(log == before)
  }

  @Test("an entry has one form only: read and written again it is the same, and nothing else is read") func codec() throws {
    var random = SplitMix64.announced("consent entries")
    for bytes in try sampleLog().entries {
      let entry = try #require(ConsentEntry(bytes))
      #expect(entry.encoded == bytes)
      for _ in 0..<3000 {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let at = Int.random(in: 0..<mutated.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: mutated[at] = .random(in: 0...255, using: &random)
          case 1: mutated.remove(at: at)
          default: mutated.insert(mutated.randomElement(using: &random)!, at: at)
          }
        }
        if let read = ConsentEntry(mutated) { #expect(read.encoded == mutated) }
      }
      #expect(ConsentEntry(bytes + [UInt8(ascii: " ")]) == nil)
      #expect(ConsentEntry([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    }
    #expect(ConsentEntry([]) == nil)
  }

  @Test("a clock that was set back is told, and is no fault") func clock() throws {
    var test = TestLog()
    for seconds in [10, 5, 7] { try test.add(.given, pagesForm("a"), at: Int64(seconds)) }
    #expect(try test.verified().clockSetBack == [2])
  }
}

@Suite("Receipts") struct ReceiptTests {
  @Test("S27, S15: a receipt tells what a record has to, and names the one before it") func receipt() throws {
    var test = TestLog()
    let form = try consentForm()
    try test.add(.given, form, at: 1_709_164_800)
    try test.add(.withdrawn, form, at: 1_709_164_900)
    let key = try Ed25519.SecretKey.random()
    let head = ConsentHead(test.log.tip, signedBy: key)
    let anchor = ConsentAnchor.head(head, key: key.publicKey)
    let given = try #require(try ConsentReceipt(of: 1, in: test.log, anchor: anchor))
    let withdrawn = try #require(try ConsentReceipt(of: 2, in: test.log, anchor: anchor))
    #expect(given.supersedes == nil && withdrawn.supersedes == given.id)
    #expect(try ConsentReceipt(of: 3, in: test.log, anchor: anchor) == nil)
    let json = String(decoding: withdrawn.json, as: UTF8.self)
    #expect(throws: Never.self) { try JSONDocument.parse(withdrawn.json.span) }
    for part in [
      "\"schemaVersion\": \"ISO/IEC TS 27560:2023\"", "\"state\": \"withdrawn\"", "\"time\": \"2024-02-29T00:01:40Z\"",
      "privacyNotice", "piiControllers", "retentionPeriod", "jurisdiction", "storageLocations", "withdrawalMethod",
      key.publicKey.fingerprint.hex, given.id.hex, "\"recorded\": \"signed\"", "\"1000 ada\"", "\"language\": \"en\"",
      form.text(of: form.variants[0]).digest.hex,
    ] {
      #expect(json.contains(part), "\(part)")
    }
  }

  @Test("there is no receipt of a faulty log, and one from before the store says so") func bounds() throws {
    let journal = try sampleLog(beforeStore: true)
    let receipt = try #require(try ConsentReceipt(of: 6, in: journal, anchor: .journal))
    #expect(String(decoding: receipt.json, as: UTF8.self).contains("\"recorded\": \"beforeStore\""))
    #expect(receipt.key == nil)
    let cut = ConsentLog(id: journal.id, entries: journal.entries, attachments: [:])
    #expect(throws: ConsentLogFault.attachment(1)) { try ConsentReceipt(of: 6, in: cut, anchor: .journal) }
  }
}

func consentForm() throws -> ConsentForm {
  let json = replace(#""kind": "terms""#, by: #""kind": "consent""#, in: termsJSON())
  return try parseForm(replace(#""required""#, by: #""processing": \#(processing), "required""#, in: json))
}
