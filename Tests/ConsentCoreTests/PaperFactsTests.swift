import StrictJSON
import TestSupport
import Testing

@testable import ConsentCore

/// What papers say of what is done with whose data, against the receipt in JSON.
@Suite("Facts on paper") struct PaperFactsTests {
  private static func form() throws -> ConsentForm {
    var signature = ConsentSignature(id: "p", role: "Participant")
    signature.requiresImage = false
    let document = ConsentDocument(title: "Study", sections: [ConsentSection(type: .overview)], signatures: [signature])
    var processing = ConsentProcessing(
      privacyNotice: "https://example.org/privacy?a=1&b=2",
      purposes: [
        ConsentPurposeFacts(description: "Research <b>", personalData: ["name", "pulse"], lawfulBasis: "consent"),
        ConsentPurposeFacts(description: "Billing", personalData: ["address"], lawfulBasis: "contract"),
      ],
      controllers: [
        ConsentParty(name: "First Lab", address: "1 Road", contact: "one@example.org"),
        ConsentParty(name: "Second Lab", address: "2 Road", contact: "two@example.org"),
      ], retention: "ten years", jurisdiction: "CH")
    processing.storageLocations = ["Zurich", "Bern"]
    processing.recipients = ["An auditor", "A printer"]
    var labels = ConsentLabels()
    labels[.retention] = "Wie lange"
    let variant = ConsentVariant(locale: LanguageTag("de")!, title: "Study", content: .document(document), labels: labels)
    var terms = ConsentTerms(kind: .consent, isRequired: true)
    terms.processing = processing
    return try ConsentForm(
      id: ConsentFormID("study")!, version: ConsentVersion("1.0")!, terms: terms, defaultLocale: LanguageTag("de")!,
      variants: [variant])
  }

  private static func receipt() throws -> ConsentReceipt {
    let form = try form()
    var log = TestLog().log
    guard case .document(let document) = form.variants[0].content else { throw TestFailure("no document") }
    let item = agenda([form]).items[0]
    let signed = try document.signed(with: try document.signatures[0].signed(with: given()))
    let answer = ConsentAnswer(item: item, choice: .agreed, document: signed)
    let entry = try log.append(answer, ConsentOccasion(person: person, at: instant(9), means: .app, recording: .beforeStore))
    return try #require(try ConsentReceipt(of: entry.sequence, in: log, anchor: .journal))
  }

  private static func given() -> GivenSignature {
    var given = GivenSignature(id: "p", signedAt: instant(9))
    (given.givenName, given.familyName) = ("Ada", "Lovelace")
    return given
  }

  /// Every text below a node, with the names of the members.
  private static func texts(_ node: JSONNode) -> [String] {
    switch node.value {
    case .object(let members): members.flatMap { [$0.key] + texts($0.node) }
    case .array(let nodes): nodes.flatMap(texts)
    case .string(let text): [text]
    default: []
    }
  }

  private static func lines(_ text: RichText) -> String {
    var renderer = LineRenderer(width: nil, isRightToLeft: false, isCanonical: true)
    renderer.set(text.blocks)
    return renderer.lines.map(\.text).joined(separator: "\n")
  }

  @Test("a receipt's paper repeats each fact of the processing under the name that it has in the JSON")
  func receiptPaper() throws {
    let receipt = try Self.receipt()
    let json = receipt.json
    let root = try JSONDocument.parse(json.span)
    let processing = try #require(root["record"]?["form"]?["details"]?["piiProcessing"])
    let facts = Self.texts(processing)
    #expect(facts.count > 30)
    let paper = Self.lines(receipt.paper.text)
    for fact in facts { #expect(paper.contains(fact), "\(fact)") }
  }

  @Test("a signed document's paper tells the same facts with the form's own labels, before the signature page")
  func documentPaper() throws {
    let receipt = try Self.receipt()
    let form = try Self.form()
    guard case .document(let document) = form.variants[0].content else { throw TestFailure("no document") }
    let paper = form.paper(of: document, in: form.variants[0])
    let end = try #require(paper.text.blocks.lastIndex(of: .pageBreak))
    let body = Self.lines(RichText(Array(paper.text.blocks[..<end])))
    let json = receipt.json
    let root = try JSONDocument.parse(json.span)
    let processing = try #require(root["record"]?["form"]?["details"]?["piiProcessing"])
    guard case .object(let members) = processing.value else { throw TestFailure("no object") }
    for member in members {
      let values = Self.values(member.node)
      #expect(!values.isEmpty)
      for value in values { #expect(body.contains(value), "\(member.key): \(value)") }
    }
    for label in ["Wie lange:", "Who decides:", "What for:", "Which data:", "On what ground:", "Privacy notice:"] {
      #expect(body.contains(label), "\(label)")
    }
    #expect(!Self.lines(RichText(Array(paper.text.blocks[end...]))).contains("Wie lange"))
    #expect(receipt.entry.fact.paper != nil)
  }

  private static func values(_ node: JSONNode) -> [String] {
    switch node.value {
    case .object(let members): members.flatMap { values($0.node) }
    case .array(let nodes): nodes.flatMap(values)
    case .string(let text): [text]
    default: []
    }
  }
}

extension JSONNode {
  fileprivate subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }
}
