public import StrictJSON

extension WirePolicyFile: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let path = json.string(.path), let role = json.word(.role, as: WirePolicyRole.self),
      let state = json.word(.state, as: WirePolicyFileState.self)
    else { return nil }
    self.init(path: path, role: role, state: state, fault: json.string(.fault))
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.path, path)
    message.word(.role, role)
    message.word(.state, state)
    message.string(.fault, fault)
  }
}

/// A store that was set aside: the type `SetAside`.
public struct WireSetAside: Equatable, Sendable {
  /// Names it in `UndoReset`.
  public let id: String
  /// The store's id.
  public let storeID: String
  /// When it was set aside, in seconds since 1970.
  public let setAsideAt: Int
  /// When it is removed for good, in seconds since 1970.
  public let expiresAt: Int

  /// A store that was set aside.
  public init(id: String, storeID: String, setAsideAt: Int, expiresAt: Int) {
    self.id = id
    self.storeID = storeID
    self.setAsideAt = setAsideAt
    self.expiresAt = expiresAt
  }
}

extension WireSetAside: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let id = json.string(.id), let storeID = json.string(.storeId), let setAsideAt = json.integer(.setAsideAt),
      let expiresAt = json.integer(.expiresAt)
    else { return nil }
    self.init(id: id, storeID: storeID, setAsideAt: setAsideAt, expiresAt: expiresAt)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.id, id)
    message.string(.storeId, storeID)
    message.integer(.setAsideAt, setAsideAt)
    message.integer(.expiresAt, expiresAt)
  }
}
