public import StrictJSON

/// Where a flow stands, and what its screen shows: the type `Step`.
public struct WireStep: Equatable, Sendable {
  /// Which flow this is.
  public var flow: WireFlow
  /// What is due.
  public var step: WireFlowStep
  /// The rules to show, with what the last candidate met.
  public var requirements: [WireRequirement]?
  /// Why the last candidate was refused, hidden rules included.
  public var unmet: [WireRequirement]?
  /// How strong the last candidate was.
  public var strength: WireStrength?
  /// True where the two entries differed.
  public var mismatch: Bool?
  /// Wrong tries left; nil where there is no limit.
  public var triesRemaining: Int?
  /// Whether quick unlock can be turned on.
  public var quickUnlockAvailable: Bool?
  /// Why not.
  public var quickUnlockReason: String?

  /// A step with nothing to show.
  public init(flow: WireFlow, step: WireFlowStep) {
    self.flow = flow
    self.step = step
  }
}

extension WireStep: WireMessage {
  /// Reads one; nil where it is not of the type, or is a step that is not known.
  public init?(_ json: JSONNode) {
    guard let flow = json.word(.flow, as: WireFlow.self), let step = json.word(.step, as: WireFlowStep.self) else { return nil }
    self.init(flow: flow, step: step)
    requirements = json.messages(.requirements)
    unmet = json.messages(.unmet)
    strength = json.message(.strength)
    mismatch = json.bool(.mismatch)
    triesRemaining = json.integer(.triesRemaining)
    quickUnlockAvailable = json.bool(.quickUnlockAvailable)
    quickUnlockReason = json.string(.quickUnlockReason)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.word(.flow, flow)
    message.word(.step, step)
    message.messages(.requirements, requirements)
    message.messages(.unmet, unmet)
    message.message(.strength, strength)
    message.bool(.mismatch, mismatch)
    message.integer(.triesRemaining, triesRemaining)
    message.bool(.quickUnlockAvailable, quickUnlockAvailable)
    message.string(.quickUnlockReason, quickUnlockReason)
  }
}
