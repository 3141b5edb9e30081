/// A reader of Varlink's interface language, for the comparison with the table. Not strict: the files are linted elsewhere.
struct IDLParser {
  struct Member: Equatable {
    let keyword: String
    let name: String
    /// The member on one line, as `WireType.idl` and its like write it.
    let text: String
    let isDocumented: Bool
  }
  struct Failure: Error { let line: Int }

  private var tokens: [(text: String, line: Int, isDocumented: Bool)] = []
  private var at = 0

  static func members(of text: String) throws -> [Member] {
    var parser = IDLParser(text)
    var members: [Member] = []
    while parser.at < parser.tokens.count { members.append(try parser.member()) }
    return members
  }

  /// The fields that stand below no comment, as `member.field`.
  static func undocumentedFields(of text: String) -> [String] {
    var member = ""
    var isBelowComment = false
    var found: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " }
      if let first = line.first, first.isLetter { member = String(line.split(separator: " ").dropFirst().first ?? "") }
      if line.hasPrefix("  "), code.first != "#", !isBelowComment { found.append("\(member).\(code)") }
      isBelowComment = code.first == "#"
    }
    return found
  }

  private init(_ text: String) {
    var isDocumented = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let code = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      if code.allSatisfy({ $0 == " " }) {
        isDocumented = code.count < line.count
        continue
      }
      var word = ""
      func flush() {
        if !word.isEmpty { tokens.append((word, number + 1, isDocumented)) }
        word = ""
      }
      for character in code {
        switch character {
        case " ": flush()
        case "(", ")", ",", ":", "?", "[", "]":
          flush()
          tokens.append((String(character), number + 1, isDocumented))
        default: word.append(character)
        }
      }
      flush()
    }
  }

  private mutating func take() throws -> String {
    guard at < tokens.count else { throw Failure(line: tokens.last?.line ?? 0) }
    at += 1
    return tokens[at - 1].text
  }

  private mutating func skip(_ text: String) -> Bool {
    guard at < tokens.count, tokens[at].text == text else { return false }
    at += 1
    return true
  }

  private mutating func member() throws -> Member {
    let isDocumented = tokens[at].isDocumented
    let keyword = try take()
    let name = try take()
    switch keyword {
    case "interface": return Member(keyword: keyword, name: name, text: "interface \(name)", isDocumented: isDocumented)
    case "type", "error":
      return Member(keyword: keyword, name: name, text: "\(keyword) \(name) \(try type())", isDocumented: isDocumented)
    case "method":
      let parameters = try type()
      guard try take() == "->" else { throw Failure(line: tokens[at - 1].line) }
      return Member(
        keyword: keyword, name: name, text: "method \(name)\(parameters) -> \(try type())", isDocumented: isDocumented)
    default: throw Failure(line: tokens[at - 1].line)
    }
  }

  private mutating func type() throws -> String {
    if skip("?") { return "?" + (try type()) }
    if skip("[") {
      if skip("]") { return "[]" + (try type()) }
      guard try take() == "string", skip("]") else { throw Failure(line: tokens[at - 1].line) }
      return "[string]" + (try type())
    }
    guard skip("(") else { return try take() }
    var parts: [String] = []
    while !skip(")") {
      let name = try take()
      parts.append(skip(":") ? "\(name): \(try type())" : name)
      if !skip(","), tokens[at].text != ")" { throw Failure(line: tokens[at].line) }
    }
    return "(" + parts.joined(separator: ", ") + ")"
  }
}
