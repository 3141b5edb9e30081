public import StrictJSON

/// One rule that a passcode must meet: the type `Requirement`.
public struct WireRequirement: Equatable, Sendable {
  /// Its stable name.
  public let id: String
  /// A sentence for a person.
  public let text: String
  /// Whether the passcode that was judged meets it.
  public let isSatisfied: Bool

  /// A requirement.
  public init(id: String, text: String, isSatisfied: Bool) {
    self.id = id
    self.text = text
    self.isSatisfied = isSatisfied
  }
}

extension WireRequirement: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let id = json.string(.id), let text = json.string(.textOfRule), let isSatisfied = json.bool(.isSatisfied) else {
      return nil
    }
    self.init(id: id, text: text, isSatisfied: isSatisfied)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.id, id)
    message.string(.textOfRule, text)
    message.bool(.isSatisfied, isSatisfied)
  }
}

/// How hard a passcode is to guess: the type `Strength`.
public struct WireStrength: Equatable, Sendable {
  /// 0 (trivial) to 4 (strong).
  public let score: Int
  /// log2 of the guesses.
  public let bits: Double

  /// A strength.
  public init(score: Int, bits: Double) {
    self.score = score
    self.bits = bits
  }
}

extension WireStrength: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let score = json.integer(.score), let bits = json.number(.bits) else { return nil }
    self.init(score: score, bits: bits)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.integer(.score, score)
    message.number(.bits, bits)
  }
}
