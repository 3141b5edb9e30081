internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods of `org.passcoded.Credentials` that are about one credential.
extension Session {
  func answerCredentials(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    switch method {
    case .put: try put(fields, &replies)
    case .get: try get(fields, &replies)
    case .show: try show(fields, &replies)
    case .list: try list(fields, &replies)
    case .find: try find(fields, &replies)
    case .rename: try rename(fields, &replies)
    case .delete: try delete(fields, &replies)
    case .history: try history(fields, &replies)
    case .restore: try restore(fields, &replies)
    default: try setAttributes(fields, &replies)
    }
  }

  // MARK: - Values

  private func put(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    var turn: Places.Place?
    if fields.bytes(.secret).count > MessageBuffer.smallByteCount { try takeTurn(&turn) }
    let secret = try service.connections.relieving { () throws(WireError) in
      try fields.secret(.secret)
    } where: {
      $0 == .busy
    }
    let options = PutOptions(
      type: fields.stringIfPresent(.type),
      attributes: fields.isPresent(.attributes) ? try pairs(.attributes, of: fields) : nil,
      replaces: fields.boolIfPresent(.replace) ?? true)
    let name = fields.bytes(.name)
    let outcome = try withStore(about: subject(fields)) { store throws(StoreError) in
      try store.put(name, secret: secret.bytes, options)
    }
    turn = nil
    try replies.reply { reply in
      reply.integer(.version, Int(outcome.version))
      reply.bool(.created, outcome.isNew)
    }
  }

  /// Two large values at a time would each hold what the other one lacks.
  private func takeTurn(_ turn: inout Places.Place?) throws(WireError) {
    turn = service.largeValues.take(for: connection)
    if turn == nil { throw .busy }
  }

  private func get(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let lockCount = service.lockCount
    var reading = SecretReading(service.policies.askEachTime)
    var place: Places.Place?
    if fields.isPresent(.passcode) {
      // Whether it has to be changed is for the next unlock: it was right, and the store is open.
      _ = try prove(fields)
      reading.isProved = true
    }
    while true {
      let outcome = try service.connections.relieving { () throws(WireError) in
        try replyWithSecret(fields, &replies, reading)
      } where: {
        $0 == .busy
      }
      switch outcome {
      case .isTold:
        if let place { replies.keep(place) }
        return
      case .needsPasscode:
        place = nil
        replies.giveBack()
        try askToRead(fields, since: lockCount)
        (reading.isProved, reading.byteLimit) = (true, SecretReading.usualByteLimit)
      case .isLarge:
        // A large secret takes a place among the large messages first.
        place = service.largeMessages.take(for: connection)
        if place == nil { throw .busy }
        reading.byteLimit = .max
      }
    }
  }

  /// Writes the reply, unless the outcome is another one.
  private func replyWithSecret(
    _ fields: WireFields, _ replies: inout Replies, _ reading: SecretReading
  ) throws(WireError) -> SecretReading.Outcome {
    let name = fields.bytes(.name)
    let version = fields.integerIfPresent(.version).map { Int64($0) }
    var outcome = SecretReading.Outcome.isTold
    _ = try replies.replyIf { (reply) throws(WireError) in
      try withStore(about: subject(fields, asking: version)) { store throws(StoreError) in
        // An earlier value may have had another name and other attributes: it is asked about as the one of today is.
        if version != nil, !reading.isProved {
          do throws(StoreError) {
            try store.show(name) { (metadata, _) throws(StoreError) in
              if reading.asks(for: metadata) { outcome = .needsPasscode }
            }
          } catch { if error != .notFound { throw error } }
          if outcome == .needsPasscode { return }
        }
        try store.get(name, version: version) { (metadata, version, secret) throws(StoreError) in
          outcome = reading.outcome(for: metadata, secret)
          if outcome == .isTold { reply.secret(secret, of: metadata, version: version) }
          if reply.isExhausted { throw .secretMemory(.lockedMemoryExhausted) }
        }
      }
      return outcome == .isTold
    }
    return outcome
  }

  private func show(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let name = fields.bytes(.name)
    try replies.reply { (reply) throws(WireError) in
      try withStore(about: subject(fields)) { store throws(StoreError) in
        try store.show(name) { (metadata, version) throws(StoreError) in
          reply.object(.credential) { $0.credential(metadata, version: version) }
        }
      }
    }
  }

  // MARK: - Changes

  private func rename(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let (name, newName) = (fields.bytes(.name), fields.bytes(.newName))
    let replaces = fields.boolIfPresent(.replace) ?? false
    try withStore(about: CallSubject(name: fields.string(.name), newName: fields.string(.newName))) {
      store throws(StoreError) in
      try store.rename(name, to: newName, replaces: replaces)
    }
    try replies.reply()
  }

  private func delete(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let name = fields.bytes(.name)
    let purges = fields.boolIfPresent(.purge) ?? false
    try withStore(about: subject(fields)) { store throws(StoreError) in try store.delete(name, purges: purges) }
    try replies.reply()
  }

  private func setAttributes(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let name = fields.bytes(.name)
    let set = try pairs(.set, of: fields)
    var unset: [String] = []
    try fields.forEachString(.unset) { (key) throws(WireError) in unset.append(String(decoding: key)) }
    try withStore(about: subject(fields)) { store throws(StoreError) in
      try store.changeAttributes(of: name, set: set, unset: unset)
    }
    try show(fields, &replies)
  }

  // MARK: - Earlier values

  private func history(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let name = fields.bytes(.name)
    var versions: [WireVersion] = []
    try withStore(about: subject(fields)) { store throws(StoreError) in
      versions = []
      try store.history(name) { (facts, metadata) throws(StoreError) in
        versions.append(WireVersion(facts, metadata))
      }
    }
    try replies.reply { $0.messages(.versions, versions) }
  }

  private func restore(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let name = fields.bytes(.name)
    let version = Int64(fields.integer(.version))
    let restored = try withStore(about: subject(fields, asking: version)) { store throws(StoreError) in
      try store.restore(name, version: version)
    }
    try replies.reply { $0.integer(.version, Int(restored)) }
  }
}

// MARK: - Parameters

extension Session {
  /// The pairs of a map; none where it is absent.
  func pairs(_ field: WireField, of fields: WireFields) throws(WireError) -> [AttributePair] {
    try service.connections.relieving { () throws(WireError) in
      var pairs: [AttributePair] = []
      try fields.forEachPair(field) { (key, value) throws(WireError) in
        pairs.append(AttributePair(key: String(decoding: key), value: String(decoding: value)))
      }
      return pairs
    } where: {
      $0 == .busy
    }
  }

  /// What a failed call was about.
  ///
  /// - Parameter version: the version that was asked for; it is what is missing only where the credential is known.
  private func subject(_ fields: WireFields, asking version: Int64? = nil) -> CallSubject {
    var subject = CallSubject(name: fields.string(.name))
    guard let version else { return subject }
    let name = fields.bytes(.name)
    var isKnown = false
    try? service.holder.withStore { store throws(StoreError) in
      try store.history(name) { (_, _) throws(StoreError) in isKnown = true }
    }
    if isKnown { subject.version = version }
    return subject
  }
}
