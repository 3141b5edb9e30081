import PasscodeCore
import StrictJSON
import TestSupport
import Testing

extension JSONNode {
  fileprivate subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }

  fileprivate var keys: [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.key)
  }

  fileprivate var number: Int? { if case .integer(let number) = value { Int(number) } else { nil } }
  fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }
}

@Suite("policy.example.json and the schema") struct PolicyDocumentsTests {
  private func schemaProperties() throws -> JSONNode {
    let bytes = try projectFile("docs/policy.schema.json")
    let schema = try JSONDocument.parse(bytes.span)
    return try #require(schema["properties"])
  }

  private func node(of key: PolicyKey) throws -> JSONNode? {
    let properties = try schemaProperties()
    let parts = key.rawValue.split(separator: ".").map(String.init)
    return parts.count == 1 ? properties[parts[0]] : properties[parts[0]]?["properties"]?[parts[1]]
  }

  private func faults(_ key: PolicyKey, _ value: String) -> [String] {
    let parts = key.rawValue.split(separator: ".")
    let text = parts.count == 1 ? "{\"\(parts[0])\": \(value)}" : "{\"\(parts[0])\": {\"\(parts[1])\": \(value)}}"
    return policyFaults(text, .administrator)
  }

  @Test("the example is good for everybody, names every key, and is the default but for its lists") func example() throws {
    let bytes = try projectFile("policy.example.json")
    for role in [PolicyRole.administrator, .user] {
      let file = try PolicyFile.parse(bytes.span, role: role)
      #expect(file.namedKeys == Set(PolicyKey.allCases))
      var policy = file.policy
      #expect(!policy.customRules.isEmpty && !policy.askEachTime.isEmpty)
      (policy.customRules, policy.validators, policy.askEachTime) = ([], nil, [])
      #expect(policy == .default)
    }
  }

  @Test("the schema has every key, with the limits that the loader has", arguments: PolicyKey.allCases)
  func limits(key: PolicyKey) throws {
    let property = try #require(try node(of: key))
    #expect(property["description"]?.text?.isEmpty == false)
    if let least = property["minimum"]?.number, let most = property["maximum"]?.number {
      for inside in [least, most] { #expect(!faults(key, "\(inside)").contains { $0.contains("expected") }, "\(inside)") }
      for outside in [least - 1, most + 1] {
        #expect(faults(key, "\(outside)").contains { $0.contains("expected") }, "\(outside)")
      }
    } else if property["type"]?.text == "boolean" {
      #expect(faults(key, "true") == [] && faults(key, "false") == [])
    } else if case .array(let words)? = property["enum"]?.value {
      for word in words { #expect(faults(key, "\"\(word.text ?? "")\"") == []) }
    }
  }

  @Test("the schema's defaults are the defaults", arguments: PolicyKey.allCases) func defaults(key: PolicyKey) throws {
    let property = try #require(try node(of: key))
    let text = written(.default)
    let shown = try JSONDocument.parse(text.utf8Span.span)
    let parts = key.rawValue.split(separator: ".").map(String.init)
    let value = parts.count == 1 ? shown[parts[0]] : shown[parts[0]]?[parts[1]]
    switch (property["default"]?.value, value?.value) {
    case (.integer(let a)?, .integer(let b)?): #expect(a == b)
    case (.bool(let a)?, .bool(let b)?): #expect(a == b)
    case (.string(let a)?, .string(let b)?): #expect(a == b)
    case (.array(let a)?, .array(let b)?): #expect(a.count == b.count)
    case (.object(let a)?, .object(let b)?): #expect(a.count == b.count)
    case (.null?, .null?): break
    default: Issue.record("\(key): no default, or of another kind")
    }
  }

  @Test("the loader knows every key of the schema") func noMore() throws {
    for key in try schemaProperties().keys {
      #expect(!policyFaults("{\"\(key)\": []}").contains { $0.contains("unknown key") }, "\(key)")
    }
  }

  @Test("each preset of the schema is one") func presets() throws {
    guard case .array(let presets)? = try schemaProperties()["preset"]?["enum"]?.value else { return #expect(Bool(false)) }
    #expect(presets.map(\.text) == PolicyPreset.allCases.map(\.rawValue))
  }
}
