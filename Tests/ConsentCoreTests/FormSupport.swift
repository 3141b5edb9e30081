import ConsentCore
import ConsentMarkup
import Testing

/// A folder of forms in memory.
struct FakeFiles: ConsentFileReading {
  var files: [String: [UInt8]] = [:]

  init(_ files: [String: String]) { self.files = files.mapValues { Array($0.utf8) } }

  func contents(of name: String) throws(ConsentFileObstacle) -> [UInt8] {
    guard let bytes = files[name] else { throw .absent }
    if bytes.count > ConsentFormFile.maximumByteCount { throw .tooLarge }
    return bytes
  }
}

func parseForm(_ json: String, _ beside: [String: String] = [:]) throws(ConsentFileFault) -> ConsentForm {
  let files = FakeFiles(beside.merging(["form.json": json]) { $1 })
  return try ConsentFormFile.parse("form.json", from: files, origin: .administrator, markup: CMarkupReader())
}

/// All faults of a form's files, each as one line.
func formFaults(_ json: String, _ beside: [String: String] = [:]) -> [String] {
  do throws(ConsentFileFault) {
    _ = try parseForm(json, beside)
    return []
  } catch {
    return ([error] + error.further).map(\.description)
  }
}

/// Terms of one page, or of what is given.
func termsJSON(_ variant: String = #""title": "Terms", "pages": [{"body": "Be kind."}]"#, more: String = "") -> String {
  #"{"id": "terms", "version": "1.0", "kind": "terms", "required": true, "defaultLocale": "en", \#(more)"#
    + #""locales": {"en": {\#(variant)}}}"#
}

/// A form with a document of these members.
func documentJSON(_ members: String) -> String { termsJSON(#""title": "Study", "document": {\#(members)}"#) }

func document(_ form: ConsentForm) throws -> ConsentDocument {
  guard case .document(let document) = form.variants[0].content else {
    throw ConsentModelFault.emptyContent
  }
  return document
}

func tag(_ text: String) -> LanguageTag { LanguageTag(text)! }

let processing = #"""
  {"privacyNotice": "https://example.org/privacy", "purposes": [{"description": "Support", "personalData": ["name"]}],
   "controllers": [{"name": "Example", "address": "1 Road", "contact": "privacy@example.org"}],
   "storageLocations": ["here"], "retention": "one year", "jurisdiction": "DE"}
  """#
