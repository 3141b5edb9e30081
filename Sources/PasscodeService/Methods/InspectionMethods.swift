internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods that go through every value of the store, row by row: whoever locks or takes the store away waits for one row at most.
extension Session {
  func inspect(_ replies: inout Replies) throws(WireError) {
    var inspection = try withStore { store throws(StoreError) in try store.inspection() }
    var hurt = try newHurtList()
    while let value = try next(of: &inspection) {
      hurt.add(value)
      if replies.isAbandoned { return }
    }
    let place = hurt.isShort ? nil : try takeLargePlace()
    let (tally, damage) = (inspection.tally, inspection.damage.map(DamageWords.list) ?? [])
    try replies.reply { reply in
      reply.integer(.intact, tally.intactCredentials)
      reply.integer(.intactVersions, tally.intactVersions)
      hurt.write(into: &reply)
      reply.integer(.gaps, tally.gaps)
      reply.strings(.damage, damage)
    }
    _ = replies.send()
    _ = consume place
  }

  func export(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    var inspection = try beginExport(fields)
    let salvages = fields.boolIfPresent(.salvage) ?? false
    if !salvages, let damage = inspection.damage { throw .damaged(DamageWords.list(damage)) }
    var hurt = try newHurtList()
    var count = 0
    while let value = try next(of: &inspection) {
      hurt.add(value)
      if value.harm != nil, !salvages { throw .damaged(["a credential was changed, or can't be read"]) }
      guard value.harm?.isWhole != false else { continue }
      guard try tell(value, &replies) else { return }
      count += 1
    }
    let gaps = inspection.tally.gaps
    if gaps > 0, !salvages { throw .damaged(["a part of the file can't be read"]) }
    let place = hurt.isShort ? nil : try takeLargePlace()
    try replies.reply { reply in
      reply.integer(.count, count)
      hurt.write(into: &reply)
      reply.integer(.gaps, gaps)
    }
    _ = replies.send()
    _ = consume place
    service.log.note(.exported(count))
  }

  /// - Throws: `wrongPasscode`; the store's errors.
  private func beginExport(_ fields: WireFields) throws(WireError) -> StoreInspection {
    service.readPolicy()
    let passcode = try enteredPasscode(fields)
    var wrong: AttemptFacts?
    let inspection = try withStore { store throws(StoreError) -> StoreInspection? in
      switch try store.prove(passcode) {
      case .wrong(let facts):
        wrong = facts
        return nil
      case .right(let proof): return try store.export(proof)
      }
    }
    switch consume inspection {
    case .some(let begun): return begun
    case .none:
      if let wrong { throw .wrongPasscode(wrong) }
      throw .internalFault
    }
  }

  private func next(of inspection: inout StoreInspection) throws(WireError) -> InspectedValue? {
    try withStore { store throws(StoreError) in try inspection.next(of: store) }
  }

  /// Tells one credential.
  ///
  /// - Returns: false where the client is gone.
  private func tell(_ value: borrowing InspectedValue, _ replies: inout Replies) throws(WireError) -> Bool {
    switch value.metadata {
    case .none: return true
    case .some(let metadata):
      switch value.secret {
      case .none: return true
      case .some(let secret):
        let isLarge = secret.count > 2048 || metadata.attributeCount > 4
        let place = isLarge ? try takeLargePlace() : nil
        let version = value.version
        let isTaken = try replies.stream { reply in
          reply.object(.credential) { $0.credential(metadata, version: version) }
          reply.secret(.secret, secret.bytes)
          return false
        }
        _ = consume place
        return isTaken
      }
    }
  }

  private func takeLargePlace() throws(WireError) -> Places.Place? {
    let place = service.largeMessages.take(for: connection)
    if place == nil { throw .busy }
    return place
  }

  private func newHurtList() throws(WireError) -> HurtList {
    do { return try HurtList() } catch { throw .busy }
  }
}
