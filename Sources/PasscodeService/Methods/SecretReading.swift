internal import PasscodeCore

/// Whether a secret that was found may be told.
struct SecretReading {
  /// What becomes of it.
  enum Outcome {
    case isTold
    /// The policy asks for the passcode each time that it is read.
    case needsPasscode
    /// It is over the limit: a place among the large messages comes first.
    case isLarge
  }

  private let entries: [AskEntry]
  /// The passcode came with the call.
  var isProved = false
  /// Secrets up to here are told without further ado.
  static let usualByteLimit = 16 << 10
  /// The largest secret that is told.
  var byteLimit = usualByteLimit

  /// - Parameter askEachTime: the policy's list.
  init(_ askEachTime: [String]) { entries = askEachTime.map(AskEntry.init) }

  func outcome(for metadata: borrowing CredentialMetadata, _ secret: Span<UInt8>) -> Outcome {
    if asks(for: metadata) { return .needsPasscode }
    return secret.count <= byteLimit ? .isTold : .isLarge
  }

  /// Whether the passcode has to be asked for.
  func asks(for metadata: borrowing CredentialMetadata) -> Bool {
    if isProved { return false }
    for entry in entries where entry.covers(metadata) { return true }
    return false
  }
}

/// One entry of the policy's `askEachTime`: an attribute, where it has an equals sign, else the beginning of names.
private struct AskEntry {
  private let text: [UInt8]
  private let equals: Int?

  init(_ text: String) {
    self.text = Array(text.utf8)
    equals = self.text.firstIndex(of: UInt8(ascii: "="))
  }

  func covers(_ metadata: borrowing CredentialMetadata) -> Bool {
    guard let equals else {
      let name = metadata.name
      return name.count >= text.count && spansAreEqual(name.extracting(first: text.count), text.span)
    }
    guard let index = metadata.indexOfAttribute(text.span.extracting(first: equals)) else { return false }
    return spansAreEqual(metadata.attributeValue(index), text.span.extracting(droppingFirst: equals + 1))
  }
}
