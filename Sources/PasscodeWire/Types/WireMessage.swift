public import StrictJSON

/// A struct of the interfaces that holds no secret, written by the daemon and read by its clients.
public protocol WireMessage: Equatable, Sendable {
  /// Reads one; nil where it is not of the type. Unknown members are ignored.
  init?(_ json: JSONNode)
  /// Writes the fields.
  func write(into reply: inout MessageWriter)
}

extension MessageWriter {
  /// A struct; left out where it is nil.
  public mutating func message(_ field: WireField, _ value: (some WireMessage)?) {
    guard let value else { return }
    object(field) { value.write(into: &$0) }
  }

  /// An array of structs; left out where it is nil.
  public mutating func messages(_ field: WireField, _ values: [some WireMessage]?) {
    guard let values else { return }
    array(field) { reply in
      for value in values { reply.element { value.write(into: &$0) } }
    }
  }
}

/// What a reply holds beside secrets, by the names of fields.
extension JSONNode {
  /// The value of a member; nil where there is none, where it is null, and where this is no object.
  public subscript(_ field: WireField) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    guard let node = members.first(where: { $0.key == field.text })?.node else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  /// A string.
  public func string(_ field: WireField) -> String? {
    if case .string(let text) = self[field]?.value { text } else { nil }
  }

  /// One of some words; nil for one that is not known.
  public func word<Word: RawRepresentable<String>>(_ field: WireField, as type: Word.Type = Word.self) -> Word? {
    string(field).flatMap(Word.init)
  }

  /// An `int`.
  public func integer(_ field: WireField) -> Int? {
    if case .integer(let value) = self[field]?.value { Int(value) } else { nil }
  }

  /// A `float`, which may be written as a whole number.
  public func number(_ field: WireField) -> Double? {
    switch self[field]?.value {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// A `bool`.
  public func bool(_ field: WireField) -> Bool? {
    if case .bool(let value) = self[field]?.value { value } else { nil }
  }

  /// A list of strings.
  public func strings(_ field: WireField) -> [String]? {
    guard let elements = self[field]?.elements else { return nil }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }

  /// A map of strings.
  public func map(_ field: WireField) -> [String: String]? { self[field]?.mapOfStrings }

  /// A struct.
  public func message<Message: WireMessage>(_ field: WireField, as type: Message.Type = Message.self) -> Message? {
    self[field].flatMap(Message.init)
  }

  /// An array of structs; nil where one of them is not of the type.
  public func messages<Message: WireMessage>(_ field: WireField, of type: Message.Type = Message.self) -> [Message]? {
    self[field]?.messages()
  }

  /// This array's values; nil where it is none.
  var elements: [Value]? {
    if case .array(let nodes) = value { nodes.map(\.value) } else { nil }
  }

  /// This object's strings; nil where it is none, or holds anything else.
  var mapOfStrings: [String: String]? {
    guard case .object(let members) = value else { return nil }
    var map: [String: String] = [:]
    for member in members {
      guard case .string(let text) = member.node.value else { return nil }
      map[member.key] = text
    }
    return map
  }

  /// This array's structs; nil where it is none, or one of them is not of the type.
  func messages<Message: WireMessage>() -> [Message]? {
    guard case .array(let nodes) = value else { return nil }
    let messages = nodes.compactMap(Message.init)
    return messages.count == nodes.count ? messages : nil
  }
}
