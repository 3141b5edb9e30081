public import StrictJSON

/// A value that is hurt, as a client sees it: the type `Hurt`.
///
/// The daemon does not use it: it writes names from locked memory.
public struct WireHurt: Equatable, Sendable {
  /// The credential's name; nil where it can't be read.
  public var name: String?
  /// The number of the value.
  public let version: Int
  /// Whether it is a credential's value now.
  public let isCurrent: Bool
  /// What is wrong with it.
  public let harm: WireHarm
  /// The latest earlier value that is intact; nil where there is none.
  public let intactVersion: Int?
}

extension WireHurt: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let version = json.integer(.version), let isCurrent = json.bool(.isCurrent),
      let harm = json.word(.harm, as: WireHarm.self)
    else { return nil }
    self.init(
      name: json.string(.name), version: version, isCurrent: isCurrent, harm: harm,
      intactVersion: json.integer(.intactVersion))
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.name, name)
    message.integer(.version, version)
    message.bool(.isCurrent, isCurrent)
    message.word(.harm, harm)
    message.integer(.intactVersion, intactVersion)
  }
}
