internal import StrictJSON

extension PolicyReader {
  /// `customRules`
  mutating func customRules(_ node: JSONNode) -> [CustomRule]? {
    guard let elements = elements(node, limit: 64) else { return nil }
    var rules: [CustomRule] = []
    for element in elements {
      guard let rule = customRule(element) else { continue }
      if rules.contains(where: { $0.name == rule.name }) { refuse(element.range, "a second rule \(quoted(rule.name))") }
      rules.append(rule)
    }
    return rules
  }

  private mutating func customRule(_ node: JSONNode) -> CustomRule? {
    let known = ["name", "pattern", "mustMatch", "displayed"]
    guard let members = members(node, known: known, of: "a rule of customRules") else { return nil }
    let options = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.node) })
    guard let nameNode = options["name"], let patternNode = options["pattern"] else {
      refuse(node.range, "a rule of customRules needs a \"name\" and a \"pattern\"")
      return nil
    }
    let mustMatch = options["mustMatch"].map { bool($0) } ?? true
    let displayed = options["displayed"].map { bool($0) } ?? true
    guard let name = string(nameNode, limit: 200), let pattern = string(patternNode, limit: 4096) else { return nil }
    guard let mustMatch, let displayed else { return nil }
    let rule = CustomRule(name: name, pattern: pattern, mustMatch: mustMatch, displayed: displayed)
    patterns.append((rule, patternNode.range))
    return rule
  }

  /// Compiles every pattern, and turns an offset in the pattern into a place of the file.
  mutating func checkPatterns(with language: any PatternCompiling, in bytes: Span<UInt8>) {
    for (rule, range) in patterns {
      do { _ = try language.compile(rule.pattern) } catch {
        let offset = placeInString(bytes.extracting(range), ofDecodedOffset: error.offset) + range.lowerBound
        refuse(offset..<range.upperBound, "the pattern of rule \(quoted(rule.name)) is faulty: \(error.message)")
      }
    }
  }

  /// `askEachTime`
  mutating func strings(_ node: JSONNode) -> [String]? {
    guard let elements = elements(node, limit: 256) else { return nil }
    return elements.compactMap { string($0, limit: 1024) }
  }

  /// `consent.gates`: `{"form": "create"}` or `{"form": ["unlock", "work/"]}`.
  mutating func consentGates(_ node: JSONNode) -> [GatedForm]? {
    guard case .object(let members) = node.value else { return expected("an object", node) }
    var gates: [GatedForm] = []
    for member in members {
      if case .string = member.node.value {
        gates.append(GatedForm(form: member.key, gates: string(member.node, limit: 1024).map { [$0] } ?? []))
      } else if case .array = member.node.value {
        gates.append(GatedForm(form: member.key, gates: strings(member.node) ?? []))
      } else {
        refuse(member.node.range, "expected a string or an array of strings, found \(member.node.value.kindName)")
      }
    }
    for gate in gates.flatMap(\.gates) where !Self.isGate(gate) {
      refuse(node.range, "expected \"create\", \"unlock\", or a folder such as \"work/\", found \(quoted(gate))")
    }
    return gates.sorted { $0.form < $1.form }
  }

  private static func isGate(_ text: String) -> Bool {
    if text == "create" || text == "unlock" { return true }
    guard text.hasSuffix("/") else { return false }
    let folder = String(text.dropLast())
    return CredentialName.fault(inFolder: folder.utf8Span.span) == nil
  }

  /// `consent.depositCommand`; `null` is none.
  mutating func depositCommand(_ node: JSONNode) -> String?? {
    if case .null = node.value { return .some(nil) }
    if role == .user {
      refuse(node.range, "depositCommand can stand in the administrator's file only")
      return nil
    }
    return path(node).map { .some($0) }
  }
}

/// Where in a JSON string, quotes included, the decoded byte at `wanted` comes from.
private func placeInString(_ string: Span<UInt8>, ofDecodedOffset wanted: Int) -> Int {
  var place = 1
  var decoded = 0
  while place < string.count - 1, decoded < wanted {
    guard string[place] == UInt8(ascii: "\\") else {
      place += 1
      decoded += 1
      continue
    }
    let isUnicode = string[place + 1] == UInt8(ascii: "u")
    var end = place + (isUnicode ? 6 : 2)
    // A surrogate pair is one scalar from two escapes: in UTF-8 it has four bytes, its first half alone would have three.
    if isUnicode, isHighSurrogate(string, at: place) { end += 6 }
    let text = (try? JSONText.string(string, place..<end, escaped: true)) ?? ""
    place = end
    decoded += text.utf8.count
  }
  return place
}

/// D800 to DBFF.
private func isHighSurrogate(_ string: Span<UInt8>, at place: Int) -> Bool {
  guard string[place + 2] | 0x20 == UInt8(ascii: "d") else { return false }
  return [UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b")].contains(string[place + 3] | 0x20)
}
