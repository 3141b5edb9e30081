public import PasscodeCore
internal import SecretMemory

/// What everybody who knows the user and the machine knows.
public struct PersonalFacts: Sendable, Equatable {
  /// The account's name.
  public var userName: String
  /// The machine's name, with its domain or without.
  public var hostName: String
  /// The person's name, as the account database has it.
  public var fullName: String

  /// Facts; an empty one does not count.
  public init(userName: String = "", hostName: String = "", fullName: String = "") {
    self.userName = userName
    self.hostName = hostName
    self.fullName = fullName
  }
}

/// `notPersonal`: contains neither the account's name, nor the machine's, nor a part of the person's; upper and lower case
/// are the same. A part of up to three characters is found in too many words: it is refused only as the whole passcode.
public struct NotPersonalValidator: PasscodeValidationDelegate {
  /// The shortest part that is looked for within a candidate, in characters.
  public static let minimumPartLength = 4
  /// `notPersonal`
  public let id = "notPersonal"
  /// What is listed.
  public var requirement: String? { "without your name, your account's or this computer's" }
  private let contained: [[UInt8]]
  private let whole: [[UInt8]]

  /// A validator for these facts.
  public init(_ facts: PersonalFacts) {
    var parts: Set<String> = [facts.userName, facts.hostName, facts.fullName]
    parts.formUnion(facts.hostName.split(separator: ".").prefix(1).map(String.init))
    parts.formUnion(facts.fullName.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    parts.remove("")
    let folded = parts.sorted().compactMap { part in Self.fold(part).map { (part.count, $0) } }
    contained = folded.filter { $0.0 >= Self.minimumPartLength }.map(\.1)
    whole = folded.filter { $0.0 < Self.minimumPartLength }.map(\.1)
  }

  private static func fold(_ part: String) -> [UInt8]? {
    let bytes = Array(part.utf8)
    guard let normal = try? PasscodeText.normalize(bytes.span), let folded = try? FoldedText(normal.bytes) else { return nil }
    return folded.bytes.indices.map { folded.bytes[$0] }
  }

  /// Accepts what holds no part.
  ///
  /// - Throws: a rejection that does not say which part.
  /// - Complexity: O(*n*) for each part.
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    guard let folded = try? FoldedText(candidate) else {
      throw PasscodeRejection("could not be compared with your names: out of locked memory")
    }
    if isPersonal(folded.bytes) { throw PasscodeRejection("contains your name, your account's or this computer's") }
  }

  private func isPersonal(_ text: Span<UInt8>) -> Bool {
    for part in contained where contains(text, part.span) { return true }
    for part in whole where part.count == text.count && contains(text, part.span) { return true }
    return false
  }
}
