/// One value of a JSON text, with its place.
public struct JSONNode: Sendable {
  /// What a JSON value can be.
  public enum Value: Sendable {
    /// An object: its members in the order of the text, no key twice.
    case object([JSONMember])
    /// An array.
    case array([JSONNode])
    /// A string, unescaped.
    case string(String)
    /// A whole number, exact: digits only, in the range of `Int64`.
    case integer(Int64)
    /// Any other number, as the nearest `Double`: `8.0` and `1e2` are such numbers.
    case number(Double)
    /// `true` or `false`
    case bool(Bool)
    /// `null`
    case null
  }

  /// The value.
  public let value: Value
  /// Its bytes in the text, quotes and brackets included.
  public let range: Range<Int>
}

/// One member of an object.
public struct JSONMember: Sendable {
  /// The key, unescaped.
  public let key: String
  /// The bytes of the key in the text, quotes included.
  public let keyRange: Range<Int>
  /// The member's value.
  public let node: JSONNode
}

extension JSONNode.Value {
  /// What kind of value this is, for a sentence such as "expected a whole number, not a string".
  public var kindName: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer: "a whole number"
    case .number: "a fractional or very large number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}

/// Whole JSON texts as trees, for configuration and other texts that are no secrets.
public enum JSONDocument {
  /// Parses a whole text.
  ///
  /// Keys that are canonically equivalent in Unicode are the same key, as they are the same `String`.
  ///
  /// - Parameters:
  ///   - bytes: the text; the caller has bounded its length.
  ///   - maximumDepth: how many objects and arrays may be open at once, 0 to 64.
  /// - Throws: every fault of `JSONTokenizer`; `duplicateKey`, `numberTooLarge`.
  /// - Precondition: `maximumDepth` is in 0...64.
  /// - Complexity: O(*n*); the tree takes a small multiple of the text.
  public static func parse(_ bytes: Span<UInt8>, maximumDepth: Int = 32) throws(JSONFault) -> JSONNode {
    var tokenizer = try JSONTokenizer(bytes, maximumDepth: maximumDepth)
    let node = try node(startingWith: try tokenizer.next(), of: &tokenizer)
    _ = try tokenizer.next()
    return node
  }

  /// Recursion is bounded by the tokenizer's depth.
  private static func node(
    startingWith token: JSONTokenizer.Token, of tokenizer: inout JSONTokenizer
  ) throws(JSONFault) -> JSONNode {
    let end = tokenizer.offset
    switch token {
    case .beginObject: return try object(of: &tokenizer)
    case .beginArray: return try array(of: &tokenizer)
    case .string(let range, let escaped):
      let text = try JSONText.string(tokenizer.bytes, range, escaped: escaped)
      return JSONNode(value: .string(text), range: range.lowerBound - 1..<end)
    case .number(let range): return JSONNode(value: try number(tokenizer.bytes.extracting(range), at: range), range: range)
    case .bool(let flag): return JSONNode(value: .bool(flag), range: end - (flag ? 4 : 5)..<end)
    case .null: return JSONNode(value: .null, range: end - 4..<end)
    case .key, .endObject, .endArray, .end: preconditionFailure("the tokenizer gave no value where one was due")
    }
  }

  private static func number(_ digits: Span<UInt8>, at range: Range<Int>) throws(JSONFault) -> JSONNode.Value {
    if let value = JSONNumber.int64(digits) { return .integer(value) }
    if let value = JSONNumber.double(digits) { return .number(value) }
    throw JSONFault(reason: .numberTooLarge, offset: range.lowerBound)
  }

  private static func array(of tokenizer: inout JSONTokenizer) throws(JSONFault) -> JSONNode {
    let start = tokenizer.offset - 1
    var elements: [JSONNode] = []
    while true {
      let token = try tokenizer.next()
      if token == .endArray { return JSONNode(value: .array(elements), range: start..<tokenizer.offset) }
      elements.append(try node(startingWith: token, of: &tokenizer))
    }
  }

  private static func object(of tokenizer: inout JSONTokenizer) throws(JSONFault) -> JSONNode {
    let start = tokenizer.offset - 1
    var members: [JSONMember] = []
    var known: Set<String> = []
    while case .key(let range, let escaped) = try tokenizer.next() {
      let key = try JSONText.string(tokenizer.bytes, range, escaped: escaped)
      let keyRange = range.lowerBound - 1..<range.upperBound + 1
      if !known.insert(key).inserted { throw JSONFault(reason: .duplicateKey, offset: keyRange.lowerBound) }
      let node = try node(startingWith: try tokenizer.next(), of: &tokenizer)
      members.append(JSONMember(key: key, keyRange: keyRange, node: node))
    }
    return JSONNode(value: .object(members), range: start..<tokenizer.offset)
  }
}
