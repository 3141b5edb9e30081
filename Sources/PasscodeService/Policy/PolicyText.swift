internal import PasscodeValidators
internal import StrictJSON

/// The text of a policy file, to say where in it something stands that can't be put to work.
struct PolicyText: Sendable {
  let path: String
  let bytes: [UInt8]

  /// Where a validator names a path: the line and the column of its value.
  func place(naming named: String) -> (line: Int, column: Int)? {
    guard let root = try? JSONDocument.parse(bytes.span), case .array(let validators)? = member("validators", of: root)?.value
    else { return nil }
    for validator in validators {
      guard let node = member("path", of: validator), case .string(named) = node.value else { continue }
      return JSONText.position(of: node.range.lowerBound, in: bytes.span)
    }
    return nil
  }

  /// Where the gates of a form stand: the line and the column of its id.
  func place(ofGate form: String) -> (line: Int, column: Int)? {
    guard let root = try? JSONDocument.parse(bytes.span),
      let gates = member("consent", of: root).flatMap({ member("gates", of: $0) }), case .object(let members) = gates.value,
      let key = members.first(where: { $0.key == form })?.keyRange
    else { return nil }
    return JSONText.position(of: key.lowerBound, in: bytes.span)
  }

  private func member(_ key: String, of node: JSONNode) -> JSONNode? {
    guard case .object(let members) = node.value else { return nil }
    return members.first { $0.key == key }?.node
  }

  /// The path that an error is about.
  static func path(in error: any Error) -> String? {
    switch error as? ValidatorFault {
    case .unreadable(let path, _)?, .notRegular(let path)?, .tooLarge(let path, _)?, .breachList(let path, _)?: path
    case nil: nil
    }
  }
}
