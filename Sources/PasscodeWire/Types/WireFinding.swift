public import StrictJSON

/// How something that was looked at is.
public enum WireFindingState: String, CaseIterable, Sendable {
  /// It works.
  case good
  /// It is missing or weaker than it could be, and passcoded does without.
  case note
  /// It wants mending.
  case bad
}

/// One thing that was looked at, in words for a person: the type `Finding`.
public struct WireFinding: Equatable, Sendable {
  /// Stable name of the thing.
  public let id: String
  /// How it is.
  public let state: WireFindingState
  /// What was found: no capital, no full stop.
  public let text: String
  /// What to do about it; nil where nothing is to be done.
  public let remedy: String?

  /// A finding.
  public init(_ id: String, _ state: WireFindingState, _ text: String, remedy: String? = nil) {
    self.id = id
    self.state = state
    self.text = text
    self.remedy = remedy
  }
}

extension WireFinding: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let id = json.string(.id), let state = json.word(.state, as: WireFindingState.self),
      let text = json.string(.textOfRule)
    else { return nil }
    self.init(id, state, text, remedy: json.string(.remedy))
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.id, id)
    message.word(.state, state)
    message.string(.textOfRule, text)
    message.string(.remedy, remedy)
  }
}
