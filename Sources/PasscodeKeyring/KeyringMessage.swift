package import PasscodeCore
package import SecretMemory

/// What `passcode-keyring` is asked on its standard input, once, and answers on its standard output.
///
///     request   version 1 ‖ verb 1 ‖ store id 16 ‖ generation 8 (big-endian) ‖ secret 32 (store alone)
///     reply     status 1 ‖ secret 32 (load that found it, alone)
///
/// Both are read to the end of the stream: one that is longer or shorter is no message.
package enum KeyringMessage {
  package static let version: UInt8 = 1
  package static let secretByteCount = 32
  private static let headByteCount = 26
  /// The longest request, in bytes.
  package static let maximumRequestByteCount = headByteCount + secretByteCount
  /// The longest reply, in bytes.
  package static let maximumReplyByteCount = 1 + secretByteCount

  /// What is to be done.
  package enum Verb: UInt8, CaseIterable, Sendable {
    case probe, store, load, delete
  }

  /// How it ended.
  package enum Status: UInt8, CaseIterable, Sendable {
    case done, absent, otherStore, older, newer, foreign, locked, wouldAsk, noCollection, noBus, noService, failed
  }

  /// The head of a request.
  package struct Request: Equatable, Sendable {
    package var verb: Verb
    package var store: StoreID
    package var generation: UInt64

    package init(_ verb: Verb, store: StoreID = StoreID(unchecked: [UInt8](repeating: 0, count: 16)), generation: UInt64 = 0) {
      self.verb = verb
      self.store = store
      self.generation = generation
    }

    /// Its bytes, before the secret.
    package var bytes: [UInt8] {
      let number = (0..<8).reversed().map { UInt8(truncatingIfNeeded: generation >> UInt64($0 * 8)) }
      return [KeyringMessage.version, verb.rawValue] + store.bytes + number
    }

    /// The whole message of a request that brings no secret.
    package func encoded() throws(KeyringObstacle) -> SecretBytes {
      do throws(SecretMemoryError) {
        var message = try SecretBytes(capacity: KeyringMessage.maximumRequestByteCount)
        try message.append(contentsOf: bytes.span)
        return message
      } catch {
        throw .secretMemory(error)
      }
    }

    /// The whole message of a request to store `secret`.
    package func encoded(with secret: borrowing SecretBytes) throws(KeyringObstacle) -> SecretBytes {
      var message = try encoded()
      do throws(SecretMemoryError) { try message.append(contentsOf: secret.bytes) } catch { throw .secretMemory(error) }
      return message
    }

    /// Takes a request apart; nil unless it is one. A secret stands behind the head.
    package init?(_ message: Span<UInt8>) {
      guard message.count >= KeyringMessage.headByteCount, message[0] == KeyringMessage.version,
        let verb = Verb(rawValue: message[1]),
        message.count == KeyringMessage.headByteCount + (verb == .store ? KeyringMessage.secretByteCount : 0)
      else { return nil }
      var generation: UInt64 = 0
      for at in 18..<26 { generation = generation << 8 | UInt64(message[at]) }
      self.init(verb, store: StoreID(unchecked: (2..<18).map { message[$0] }), generation: generation)
    }
  }

  /// The secret of a request that ``Request/init(_:)`` has accepted.
  @_lifetime(copy message)
  package static func secret(of message: Span<UInt8>) -> Span<UInt8> { message.extracting(headByteCount...) }

  /// The status of a reply to `verb`; nil unless it is one.
  package static func status(of reply: Span<UInt8>, to verb: Verb) -> Status? {
    guard !reply.isEmpty, let status = Status(rawValue: reply[0]) else { return nil }
    let hasSecret = verb == .load && status == .done
    return reply.count == (hasSecret ? maximumReplyByteCount : 1) ? status : nil
  }
}
