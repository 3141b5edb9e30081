internal import StrictJSON

/// Where the fields of a reply lie in the message. Holds none of its bytes.
public struct ReplyLayout: Sendable {
  /// Whether another reply follows.
  public let continues: Bool
  let specs: [FieldSpec]
  let places: ValuePlaces

  /// The fields.
  ///
  /// - Parameter message: the bytes that this was parsed from, as the parser left them.
  @_lifetime(copy message)
  public func fields(in message: Span<UInt8>) -> WireFields { WireFields(specs, at: places, in: message) }
}

/// What a reply says.
public enum ParsedReply: Sendable {
  /// It holds what was asked for.
  case reply(ReplyLayout)
  /// One of our errors.
  case failed(WireError)
  /// An error that is none of ours, or not as we know it: its full name, of at most 255 bytes.
  case failedOtherwise(name: String)
}

extension MethodSpec {
  /// Reads one reply, and undoes the escapes of its strings where they are. What is unknown in it is ignored; what is
  /// known has to be there and of its type. The contents of structs are looked at only when they are read.
  ///
  /// - Parameter message: the message without its NUL.
  /// - Throws: a reply that is none, after which nothing of the connection can be relied on.
  /// - Complexity: O(length).
  public func parseReply(_ message: inout MutableSpan<UInt8>) throws(CloseReason) -> ParsedReply {
    var scanned = try MessageScanner.scan(message.span, known: replyRules)
    if scanned.error.kind != .absent {
      if scanned.continues { throw .conflictingFlags }
      unescape(&scanned.error, in: &message)
      return try error(scanned, in: message.span)
    }
    var places = ValuePlaces(repeating: ValuePlace())
    for number in 0..<scanned.memberCount {
      let member = scanned.members[number]
      guard let index = member.key.index(in: replyRules, message.span) else { continue }
      places[index] = member.value
      unescape(&places[index], in: &message)
    }
    for index in replyRules.indices {
      let isRight =
        places[index].isOf(replyRules[index], in: message.span) ?? places[index].isRoughlyOf(reply[index].type)
      if !isRight { throw .wrongType }
    }
    return .reply(ReplyLayout(continues: scanned.continues, specs: reply, places: places))
  }

  private func error(_ scanned: ScannedMessage, in message: Span<UInt8>) throws(CloseReason) -> ParsedReply {
    let place = scanned.error.range
    guard place.count <= WireLimits.maximumMethodNameByteCount else { throw .wrongType }
    let fullName = String(copying: message.extracting(place))
    var parameters: JSONNode?
    if scanned.parameters.kind != .absent {
      do throws(JSONFault) {
        parameters = try JSONDocument.parse(
          message.extracting(scanned.parameters.range), maximumDepth: WireLimits.maximumDepth)
      } catch { throw .notJSON(error.reason) }
    }
    guard let name = WireErrorName(fullName), let error = WireError(name, parameters) else {
      return .failedOtherwise(name: fullName)
    }
    return .failed(error)
  }
}
