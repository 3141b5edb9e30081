import StrictJSON
import TestSupport

/// The members of a JSON document.
func jsonMembers(_ text: String) throws -> [String: JSONNode.Value] {
  let bytes = Array(text.utf8)
  guard case .object(let members) = try JSONDocument.parse(bytes.span).value else { throw TestFailure("no object: \(text)") }
  return Dictionary(members.map { ($0.key, $0.node.value) }) { first, _ in first }
}

func jsonString(_ key: String, in text: String) -> String? {
  if case .string(let value) = try? jsonMembers(text)[key] { value } else { nil }
}

func jsonNumber(_ key: String, in text: String) -> Int? {
  if case .integer(let value) = try? jsonMembers(text)[key] { Int(value) } else { nil }
}

func jsonIsNull(_ key: String, in text: String) -> Bool {
  if case .null = try? jsonMembers(text)[key] { true } else { false }
}
