internal import StrictJSON

/// Where the fields of a reply lie in the message. Holds none of its bytes.
public struct ReplyLayout: Sendable {
  /// Whether another reply follows.
  public let continues: Bool
  let specs: [FieldSpec]
  let places: InlineArray<16, ValuePlace>

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
    var scanner = try MessageScanner(message.span, known: reply)
    var scanned = try scanner.scan()
    if scanned.error.kind != .absent {
      if scanned.continues { throw .conflictingFlags }
      unescape(&scanned.error, in: &message)
      return try error(scanned, in: message.span)
    }
    var places = InlineArray<16, ValuePlace>(repeating: ValuePlace())
    for number in 0..<scanned.memberCount {
      let member = scanned.members[number]
      guard let index = reply.firstIndex(where: { member.key.isText($0.field.name, in: message.span) }) else { continue }
      var value = member.value
      unescape(&value, in: &message)
      places[index] = value
    }
    for (index, field) in reply.enumerated() where !places[index].isRoughlyOf(field.type, in: message.span) { throw .wrongType }
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

extension ValuePlace {
  /// Whether a value can be of a type, without a look into arrays and objects, nor at the words of an enumeration: a newer
  /// daemon may know more of them.
  func isRoughlyOf(_ type: WireType, in message: Span<UInt8>) -> Bool {
    switch (type, kind) {
    case (.optional, .absent): true
    case (_, .absent): false
    case (.optional(let wrapped), _): isRoughlyOf(wrapped, in: message)
    case (.named(let named), _): isRoughlyOf(named.type, in: message)
    case (.bool, .yes), (.bool, .no), (.string, .text), (.enumeration, .text): true
    case (.int, .number), (.float, .number): isOf(type, in: message)
    case (.object, .object), (.object, .mapOfTexts), (.structure, .object), (.structure, .mapOfTexts), (.map, .mapOfTexts):
      true
    case (.map, .object), (.array, .array), (.array, .arrayOfTexts): true
    default: false
    }
  }
}
