public import StrictJSON

extension WireFields {
  /// An array or object that holds no secret, as a tree; nil where it is absent, or nested too deeply for a tree.
  ///
  /// - Complexity: O(length); allocates.
  public func tree(_ field: WireField) -> JSONNode? {
    guard let json = json(field) else { return nil }
    return try? JSONDocument.parse(json, maximumDepth: WireLimits.maximumDepth)
  }

  /// A struct; nil where it is absent or not of the type.
  public func message<Message: WireMessage>(_ field: WireField, as type: Message.Type = Message.self) -> Message? {
    tree(field).flatMap(Message.init)
  }

  /// An array of structs; nil where it is absent, or one of them is not of the type.
  public func messages<Message: WireMessage>(_ field: WireField, of type: Message.Type = Message.self) -> [Message]? {
    tree(field)?.messages()
  }

  /// A list of strings that are no secrets; empty where it is absent.
  public func strings(_ field: WireField) -> [String] {
    var strings: [String] = []
    for case .string(let text) in tree(field)?.elements ?? [] { strings.append(text) }
    return strings
  }

  /// A map of strings that are no secrets; nil where it is absent.
  public func map(_ field: WireField) -> [String: String]? { tree(field)?.mapOfStrings }
}
