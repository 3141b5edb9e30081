internal import PasscodePlatform
internal import SecretMemory
internal import StrictJSON

/// What a command says about a candidate: `{"accepted": true}` or `{"accepted": false, "message": "…"}`, and nothing else.
struct CommandVerdict: Equatable {
  /// The longest message that is shown, in bytes.
  static let longestMessage = 300

  var isAccepted: Bool
  /// For the person, on one line; nil where there is none that can be shown.
  var message: String?

  /// Reads a verdict.
  ///
  /// - Parameters:
  ///   - text: what the command wrote.
  ///   - candidate: a message that repeats it is not shown.
  /// - Throws: `noVerdict` for anything but one object of the two members; `system` where locked memory ran out.
  init(_ text: Span<UInt8>, on candidate: Span<UInt8>) throws(CommandFault) {
    var accepted: Bool?
    var message: (range: Range<Int>, escaped: Bool)?
    do throws(JSONFault) {
      var tokens = try JSONTokenizer(text, maximumDepth: 1)
      var token = try tokens.next()
      guard token == .beginObject else { throw Self.fault }
      token = try tokens.next()
      while case .key(let range, let escaped) = token {
        let value = try tokens.next()
        if JSONText.matches(text, range, escaped: escaped, "accepted"), case .bool(let flag) = value, accepted == nil {
          accepted = flag
        } else if JSONText.matches(text, range, escaped: escaped, "message"), case .string(let range, let escaped) = value,
          message == nil
        {
          message = (range, escaped)
        } else {
          throw Self.fault
        }
        token = try tokens.next()
      }
      guard token == .endObject, try tokens.next() == .end else { throw Self.fault }
    } catch { throw .noVerdict }
    guard let accepted else { throw .noVerdict }
    isAccepted = accepted
    self.message = try message.flatMap { message throws(CommandFault) in
      try Self.shown(text.extracting(message.range), escaped: message.escaped, unless: candidate)
    }
  }

  private static let fault = JSONFault(reason: .unexpectedEnd, offset: 0)

  /// A message as it can be shown: at most ``longestMessage`` bytes without control and format characters.
  private static func shown(
    _ token: Span<UInt8>, escaped: Bool, unless candidate: Span<UInt8>
  ) throws(CommandFault) -> String? {
    // A command may repeat what it was given: until that is ruled out, the message stays in locked memory.
    var decoded: SecretBytes
    do { decoded = try SecretBytes(copying: token) } catch { throw .system(.secretMemory(error)) }
    if escaped {
      var bytes = decoded.mutableBytes
      guard let count = try? JSONText.unescape(&bytes) else { throw .noVerdict }
      decoded.truncate(to: count)
    }
    let isQuoted = candidate.count > 0 && contains(decoded.bytes, candidate)
    guard !isQuoted, let text = try? UTF8Span(validating: decoded.bytes) else { return nil }
    var message = ""
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() {
      let isSpace = scalar.properties.isWhitespace
      if isSpace ? message.isEmpty || message.hasSuffix(" ") : isHidden(scalar) { continue }
      guard message.utf8.count + scalar.utf8.count <= longestMessage else { break }
      message.unicodeScalars.append(isSpace ? " " : scalar)
    }
    return message.isEmpty ? nil : message
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    default: false
    }
  }
}
