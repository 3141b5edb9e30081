/// What a call asks for, and where its parameters lie in the message. Holds none of its bytes.
public struct CallLayout: Sendable {
  /// The method's index in the catalog.
  public let methodIndex: Int
  /// The method, where it is one of ours.
  public var method: WireMethod? { WireMethod(rawValue: methodIndex) }
  /// Whether no reply may be sent, not even an error.
  public let isOneway: Bool
  /// Whether several replies may be sent.
  public let wantsMore: Bool
  /// By the index of the field in the method's parameters.
  let places: ValuePlaces

  /// The parameters.
  ///
  /// - Parameters:
  ///   - message: the bytes that this was parsed from, as the parser left them.
  ///   - catalog: the catalog that parsed it.
  @_lifetime(copy message)
  public func fields(in message: Span<UInt8>, of catalog: WireCatalog) -> WireFields {
    WireFields(catalog.methods[methodIndex].parameters, at: places, in: message)
  }
}

/// How a call wants its reply.
public enum CallFlag: Sendable {
  /// Several replies may come.
  case more
  /// No reply comes.
  case oneway
}

/// What has become of a message.
public enum ParsedCall: Sendable {
  /// A call of a method that is there, with parameters of the right types.
  case call(CallLayout)
  /// A call that is answered with an error at once, or not at all where it is one-way.
  case refused(WireError, isOneway: Bool)
}

extension WireCatalog {
  /// Reads one call, strictly, and undoes the escapes of its string parameters where they are.
  ///
  /// - Parameter message: the message without its NUL.
  /// - Throws: what closes the connection. What only makes the call wrong is `refused`.
  /// - Complexity: O(length), and O(keys²) in each object; allocates only for a refusal or where a key is escaped.
  ///
  /// Source: UAPI.20, "Messages" and "Errors".
  public func parse(_ message: inout MutableSpan<UInt8>) throws(CloseReason) -> ParsedCall {
    var scanned = try MessageScanner.scan(message.span)
    if scanned.flagCount > 1 { throw .conflictingFlags }
    unescape(&scanned.method, in: &message)
    let name = scanned.method.range
    guard scanned.method.kind == .text, name.count <= WireLimits.maximumMethodNameByteCount else { throw .noMethod }
    guard let index = index(of: message.span.extracting(name)) else {
      return .refused(errorForMissing(message.span.extracting(name)), isOneway: scanned.oneway)
    }
    do throws(WireError) {
      if scanned.upgrade { throw WireError.methodNotImplemented(fullName(of: index)) }
      let places = try places(of: index, scanned, in: &message)
      if methods[index].replies == .stream, !scanned.more { throw WireError.expectedMore }
      return .call(
        CallLayout(methodIndex: index, isOneway: scanned.oneway, wantsMore: scanned.more, places: places))
    } catch { return .refused(error, isOneway: scanned.oneway) }
  }

  private func places(
    of method: Int, _ scanned: ScannedMessage, in message: inout MutableSpan<UInt8>
  ) throws(WireError) -> ValuePlaces {
    let rules = methods[method].parameterRules
    var places = ValuePlaces(repeating: ValuePlace())
    for number in 0..<scanned.memberCount {
      let member = scanned.members[number]
      guard let index = member.key.index(in: rules, message.span) else {
        throw .invalidParameter(parameterName(member.key, in: message.span))
      }
      places[index] = member.value
      unescape(&places[index], in: &message)
    }
    for index in rules.indices {
      let isRight =
        places[index].isOf(rules[index], in: message.span)
        ?? places[index].isOf(methods[method].parameters[index].type, in: message.span)
      if !isRight { throw .invalidParameter(rules[index].name.description) }
    }
    return places
  }

  /// The name to complain about. What can't be a name may be anything, a misplaced secret too, and is not sent back.
  private func parameterName(_ key: ValuePlace, in message: Span<UInt8>) -> String {
    let bytes = message.extracting(key.range)
    func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
    guard key.kind == .text, 1...64 ~= bytes.count, isLetter(bytes[0]) else { return "parameters" }
    for index in bytes.indices {
      let byte = bytes[index]
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      guard isLetter(byte) || isDigit || byte == UInt8(ascii: "_") else { return "parameters" }
    }
    return String(copying: bytes)
  }
}
