public import PasscodeWire
public import SecretMemory

/// The whole store: whether it is intact, and all that is in it.
extension PasscodeClient {
  /// Has the daemon open and check every credential and every earlier value. Whatever the scope, it is about the whole store.
  ///
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `busy`, `storage`.
  public func inspect() throws(ClientError) -> InspectionFacts {
    try connection.call(.inspect) { (fields: WireFields) throws(ClientError) in
      guard let hurt = fields.messages(.hurt, of: WireHurt.self) else { throw .badReply("Inspect") }
      return InspectionFacts(
        intact: fields.integer(.intact), intactVersions: fields.integer(.intactVersions), hurt: hurt,
        hurtCount: fields.integer(.hurtCount), gaps: fields.integer(.gaps), damage: fields.strings(.damage))
    }
  }

  /// Lends every credential within the scope to `body`, with its secret, one after the other. The store need not be unlocked.
  ///
  /// - Parameters:
  ///   - passcode: charged like any try.
  ///   - salvages: tells what is whole of a damaged store; false refuses one.
  ///   - body: must not call this client.
  /// - Throws: `daemon` as ``verify(_:)`` but for `mustChange`, and with `damaged`; what `body` throws.
  ///
  /// Secrets: the caller wipes the passcode; what is lent wipes itself.
  public func export(
    _ passcode: borrowing SecretBytes, salvages: Bool = false,
    _ body: (WireCredential, borrowing SecretBytes) throws(ClientError) -> Void
  ) throws(ClientError) -> ExportFacts {
    let bytes = passcode.bytes
    var facts: ExportFacts?
    try connection.callForMany(.export) { (call: inout MessageWriter) throws(WireError) in
      try call.passcode(.passcode, bytes)
      if salvages { call.bool(.salvage, true) }
    } _: { (fields: WireFields) throws(ClientError) in
      guard fields.isPresent(.credential) else {
        facts = try Self.exportFacts(fields)
        return
      }
      guard let found = fields.message(.credential, as: WireCredential.self), fields.isPresent(.secret) else {
        throw .badReply("Export")
      }
      guard let own = within(found) else { return }
      let secret: SecretBytes
      do throws(WireError) { secret = try fields.secret(.secret) } catch { throw .daemon(error) }
      try body(own, secret)
    }
    guard let facts else { throw .badReply("Export") }
    return facts
  }

  private static func exportFacts(_ fields: WireFields) throws(ClientError) -> ExportFacts {
    guard let count = fields.integerIfPresent(.count), let hurtCount = fields.integerIfPresent(.hurtCount),
      let hurt = fields.messages(.hurt, of: WireHurt.self)
    else { throw .badReply("Export") }
    return ExportFacts(count: count, hurt: hurt, hurtCount: hurtCount, gaps: fields.integerIfPresent(.gaps) ?? 0)
  }

  /// A look at the whole store, see the blocking twin.
  public func inspect() async throws(ClientError) -> InspectionFacts {
    try await onThread { () throws(ClientError) in try self.inspect() }
  }
}
