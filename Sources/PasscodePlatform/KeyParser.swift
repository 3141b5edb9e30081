/// Turns a terminal's bytes into keys, one byte at a time, with at most three bytes of state and no copy of the text.
///
/// Source: ECMA-48 §5.4 (control sequences); xterm's control sequences, "Bracketed Paste Mode".
public struct KeyParser: Sendable {
  private enum State {
    case ground
    case escape
    /// In `ESC O x`, with one byte to come.
    case singleShift
    /// In `ESC [ … final`; nil once the parameter can't be a paste mark's.
    case sequence(parameter: Int?)
  }

  private var state = State.ground
  /// Whether the bytes are pasted text.
  public private(set) var isPasting = false

  /// A parser at the start of a key.
  public init() {}

  /// Whether a sequence has begun: if nothing follows within some milliseconds, it was the Escape key, see ``flush()``.
  public var isInSequence: Bool {
    if case .ground = state { return false }
    return true
  }

  /// Takes the next byte.
  ///
  /// - Returns: the key that it completes, or nil within a sequence.
  public mutating func feed(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .singleShift:
      state = .ground
      return isControl(byte) ? ground(byte) : Self.movement(byte).map(Key.move) ?? .other
    case .sequence(let parameter): return sequence(byte, parameter)
    }
  }

  /// Ends a sequence that did not go on.
  ///
  /// - Returns: the Escape key, or nil where no sequence had begun.
  public mutating func flush() -> Key? {
    guard isInSequence else { return nil }
    state = .ground
    return .escape
  }

  private mutating func ground(_ byte: UInt8) -> Key? {
    if byte == 0x1b {
      state = .escape
      return nil
    }
    if isPasting { return .byte(byte == 0x0d ? 0x0a : byte) }
    switch byte {
    case 0x03, 0x1c: return .interrupt
    case 0x04: return .endOfInput
    case 0x08, 0x7f: return .backspace
    case 0x09: return .tab
    case 0x0a, 0x0d: return .enter
    case 0x15: return .eraseLine
    case 0x17: return .eraseWord
    case 0x1a: return .suspend
    // NUL is text, so that the editor refuses it in place of leaving it out.
    case 0x00, 0x20...0xff: return .byte(byte)
    default: return .other
    }
  }

  private mutating func escape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["):
      state = .sequence(parameter: 0)
      return nil
    case UInt8(ascii: "O"):
      state = .singleShift
      return nil
    case 0x1b: return .escape
    default:
      state = .ground
      // The first byte of a longer character belongs to its others: Escape was a key of its own then.
      return isControl(byte) || byte >= 0x80 ? ground(byte) : .other
    }
  }

  private mutating func sequence(_ byte: UInt8, _ parameter: Int?) -> Key? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let value = (parameter ?? 1000) * 10 + Int(byte - UInt8(ascii: "0"))
      state = .sequence(parameter: value > 999 ? nil : value)
      return nil
    case 0x20...0x3f:
      state = .sequence(parameter: nil)
      return nil
    case UInt8(ascii: "~") where parameter == 200 || parameter == 201:
      state = .ground
      isPasting = parameter == 200
      return isPasting ? .pasteBegin : .pasteEnd
    case 0x40...0x7e:
      state = .ground
      let movement = byte == UInt8(ascii: "~") ? Self.movement(number: parameter) : parameter == 0 ? Self.movement(byte) : nil
      return movement.map(Key.move) ?? .other
    default:
      state = .ground
      return ground(byte)
    }
  }

  /// Source: xterm's control sequences, "PC-Style Function Keys".
  private static func movement(_ final: UInt8) -> KeyMovement? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .start
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static func movement(number: Int?) -> KeyMovement? {
    switch number {
    case 1, 7: .start
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }

  private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }
}
