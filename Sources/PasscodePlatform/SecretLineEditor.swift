public import SecretMemory

/// A hidden text under a person's hands, in locked memory.
///
/// Nothing is cut: a text that grew too long, or got a NUL, is refused at the end, until it is erased.
public struct SecretLineEditor: ~Copyable, Sendable {
  /// What a key did.
  public enum Outcome: Equatable, Sendable {
    /// Nothing.
    case unchanged
    /// ``text`` is another one now.
    case changed
    /// The text is complete, see ``finish()``.
    case finished
    /// The user gave up.
    case cancelled
    /// The user wants to stop the program for a while.
    case suspended
    /// The text can't be taken: `tooLong` or `containsNUL`.
    case refused(PlatformError)
  }

  /// The text so far.
  public private(set) var text: SecretBytes
  private let limit: Int
  private let isMultiline: Bool
  private var fault: PlatformError?
  private var pasteStart = 0

  /// An empty text.
  ///
  /// - Parameter limit: in bytes.
  /// - Parameter isMultiline: Enter starts a new line and Ctrl-D ends the text; else Enter ends it.
  /// - Throws: `secretMemory` when no locked memory is left.
  public init(limit: Int, isMultiline: Bool = false) throws(PlatformError) {
    do {
      text = try SecretBytes(capacity: limit)
    } catch {
      throw .secretMemory(error)
    }
    self.limit = limit
    self.isMultiline = isMultiline
  }

  /// Whether the text ends with a whole character, so that it can be judged.
  ///
  /// True for bytes that are no UTF-8 too: nothing would complete them.
  public var isBetweenCharacters: Bool {
    let bytes = text.bytes
    var index = bytes.count - 1
    while index > 0, index > bytes.count - 4, bytes[index] & 0xc0 == 0x80 { index -= 1 }
    guard index >= 0 else { return true }
    return bytes.count - index >= Self.length(ofLead: bytes[index])
  }

  /// Applies a key.
  public mutating func apply(_ key: Key) -> Outcome {
    switch key {
    case .byte(let byte): return append(byte)
    case .enter: return isMultiline ? append(0x0a) : end()
    case .endOfInput:
      if isMultiline { return end() }
      return text.isEmpty && fault == nil ? .cancelled : .unchanged
    case .backspace: return erase { Self.withoutLastCharacter($0) }
    case .eraseWord: return erase { Self.withoutLastWord($0) }
    case .eraseLine: return eraseLine()
    case .interrupt: return .cancelled
    case .suspend: return .suspended
    case .pasteBegin:
      pasteStart = text.count
      return .unchanged
    case .pasteEnd: return endPaste()
    case .tab, .escape, .move, .other, .resumed: return .unchanged
    }
  }

  /// Hands over the text.
  public consuming func finish() -> SecretBytes { text }

  private mutating func append(_ byte: UInt8) -> Outcome {
    guard fault == nil else { return .unchanged }
    if byte == 0 {
      fault = .containsNUL
      return .unchanged
    }
    do {
      try text.append(byte)
      return .changed
    } catch {
      fault = .tooLong(limit: limit)
      return .unchanged
    }
  }

  private func end() -> Outcome { fault.map(Outcome.refused) ?? .finished }

  /// One line break at the end of a paste is how the text was copied, not a part of it.
  private mutating func endPaste() -> Outcome {
    let count = text.count
    guard !isMultiline, fault == nil, count > pasteStart, text.bytes[count - 1] == 0x0a else { return .unchanged }
    text.truncate(to: count - 1)
    return .changed
  }

  private mutating func eraseLine() -> Outcome {
    guard fault != nil else { return erase { Self.withoutLastLine($0) } }
    // Bytes were left out: no part of the text is what was meant.
    fault = nil
    text.removeAll()
    return .changed
  }

  /// - Parameter remaining: how many bytes stay.
  private mutating func erase(_ remaining: (Span<UInt8>) -> Int) -> Outcome {
    guard fault == nil else { return .unchanged }
    let count = text.count
    let kept = remaining(text.bytes)
    text.truncate(to: kept)
    return kept == count ? .unchanged : .changed
  }

  private static func withoutLastCharacter(_ bytes: Span<UInt8>) -> Int {
    var kept = bytes.count
    var continuations = 0
    while kept > 0, continuations < 3, bytes[kept - 1] & 0xc0 == 0x80 {
      kept -= 1
      continuations += 1
    }
    return max(0, kept - 1)
  }

  private static func withoutLastWord(_ bytes: Span<UInt8>) -> Int {
    var kept = bytes.count
    while kept > 0, bytes[kept - 1] == 0x20 { kept -= 1 }
    while kept > 0, bytes[kept - 1] != 0x20, bytes[kept - 1] != 0x0a { kept -= 1 }
    return kept
  }

  private static func withoutLastLine(_ bytes: Span<UInt8>) -> Int {
    var kept = bytes.count
    while kept > 0, bytes[kept - 1] != 0x0a { kept -= 1 }
    return kept
  }

  private static func length(ofLead byte: UInt8) -> Int {
    switch byte {
    case 0xc2...0xdf: 2
    case 0xe0...0xef: 3
    case 0xf0...0xf4: 4
    default: 1
    }
  }
}
