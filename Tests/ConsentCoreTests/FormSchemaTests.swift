import StrictJSON
import TestSupport
import Testing

@testable import ConsentCore

extension JSONNode {
  fileprivate subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }

  fileprivate var keys: [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.key)
  }

  fileprivate var texts: [String] {
    guard case .array(let nodes) = value else { return [] }
    return nodes.compactMap(\.text)
  }

  fileprivate var isFalse: Bool { if case .bool(false) = value { true } else { false } }
  fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }
}

@Suite("docs/consent-form.schema.json and docs/consent-forms.md") struct FormSchemaTests {
  private func schema() throws -> JSONNode {
    let bytes = try projectFile("docs/consent-form.schema.json")
    return try JSONDocument.parse(bytes.span)
  }

  private func rules(_ kind: ConsentFileObject) throws -> JSONNode {
    let schema = try schema()
    return try #require(kind == .form ? schema : schema["$defs"]?[kind.rawValue])
  }

  @Test("the schema has the objects that the reader has, and no other") func objects() throws {
    let defs = try #require(try schema()["$defs"]).keys
    #expect(Set(defs + ["form"]) == Set(ConsentFileObject.allCases.map(\.rawValue)))
  }

  @Test("each object has the reader's keys, needs the same, and permits no other", arguments: ConsentFileObject.allCases)
  func keys(kind: ConsentFileObject) throws {
    let rules = try rules(kind)
    let properties = try #require(rules["properties"])
    #expect(Set(properties.keys) == Set(kind.needed + kind.optional))
    #expect(properties.keys.count == kind.needed.count + kind.optional.count)
    #expect(Set(rules["required"]?.texts ?? []) == Set(kind.needed))
    #expect(rules["additionalProperties"]?.isFalse == true)
    for key in properties.keys {
      let property = try #require(properties[key])
      #expect(property["$ref"] != nil || property["description"]?.text?.isEmpty == false, "\(kind).\(key)")
    }
  }

  @Test("words that a key can have are those of the reader") func words() throws {
    func words(_ kind: ConsentFileObject, _ key: String) throws -> [String] {
      try #require(try rules(kind)["properties"]?[key]?["enum"]).texts
    }
    #expect(try words(.form, "kind") == ConsentKind.allCases.map(\.rawValue))
    #expect(try words(.section, "type") == ConsentSectionType.allCases.map(\.rawValue))
    #expect(try words(.signature, "names") == ConsentNames.allCases.map(\.rawValue))
    let labels = try #require(try rules(.labels)["properties"])
    for label in ConsentLabel.allCases { #expect(labels[label.rawValue]?["default"]?.text == label.english) }
  }

  @Test("the document names every key, every label and every type of section, with its English words") func document() throws {
    let text = String(decoding: try projectFile("docs/consent-forms.md"), as: UTF8.self)
    for kind in ConsentFileObject.allCases {
      for key in kind.needed + kind.optional {
        // The ways to write a text are explained once.
        let ways = ["Markdown", "HTML", "File", "Blocks"]
        let isWay = ways.contains { key.hasSuffix($0) } && !key.hasPrefix("body") && !key.hasPrefix("override")
        if !isWay { #expect(text.contains("`\(key)`"), "\(kind).\(key)") }
      }
    }
    for label in ConsentLabel.allCases { #expect(text.contains(label.english), "\(label)") }
    for type in ConsentSectionType.allCases {
      #expect(text.contains("`\(type.rawValue)`"))
      if let title = type.defaultTitle { #expect(text.contains("| \(title) | \(type.defaultLearnMoreTitle) |"), "\(type)") }
    }
  }

  @Test("the examples can be read, and each scene has a summary", arguments: ["study", "terms"])
  func examples(name: String) throws {
    var files: [String: String] = [:]
    for file in ["study.json", "terms.json", "terms.en.md"] {
      files[file] = String(decoding: try projectFile("Examples/Consent/\(file)"), as: UTF8.self)
    }
    let form = try parseForm(try #require(files["\(name).json"]), files)
    for variant in form.variants {
      guard case .document(let document) = variant.content else { continue }
      for section in document.shownSections { #expect(section.summary != nil, "\(section.title ?? "")") }
    }
  }

  @Test("a fault of the whole form names the key to look at") func wholeFaults() {
    let pages = #""title": "T", "pages": [{"body": "x"}]"#
    for (json, key) in [
      (termsJSON(#""title": "T", "pages": []"#), "\"pages\""),
      (documentJSON(#""title": "Nothing""#), "\"sections\""),
      (replace(#""defaultLocale": "en""#, by: #""defaultLocale": "de""#, in: termsJSON()), "\"defaultLocale\""),
      (replace(#""en": {\#(pages)}"#, by: "", in: termsJSON(pages)), "\"locales\""),
      (replace(#""kind": "terms""#, by: #""kind": "consent""#, in: termsJSON()), "\"processing\""),
      (
        documentJSON(
          #""sections": [{"type": "overview"}], "signatures": [{"id": "a", "role": "A"}, {"id": "a", "role": "B"}]"#),
        "\"signatures\""
      ),
    ] {
      let faults = formFaults(json)
      #expect(faults.count == 1 && faults[0].contains(key), "\(faults)")
    }
  }
}
