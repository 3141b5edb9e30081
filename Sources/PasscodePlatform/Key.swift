/// What a person typed, or what happened to the terminal meanwhile.
public enum Key: Equatable, Sendable {
  /// One byte of text: a character beyond ASCII comes as several. Within a paste, control bytes and line breaks too.
  case byte(UInt8)
  /// Enter.
  case enter
  /// Backspace.
  case backspace
  /// Ctrl-W.
  case eraseWord
  /// Ctrl-U.
  case eraseLine
  /// Ctrl-C or Ctrl-\.
  case interrupt
  /// Ctrl-D.
  case endOfInput
  /// Ctrl-Z.
  case suspend
  /// Tab.
  case tab
  /// Escape, alone.
  case escape
  /// The terminal starts to send pasted text.
  case pasteBegin
  /// The pasted text is complete.
  case pasteEnd
  /// The program was stopped and goes on: what was on the screen has to be shown again.
  case resumed
  /// An arrow, or another key that moves.
  case move(KeyMovement)
  /// A function key, or another key without a meaning here.
  case other
}

/// Where a key moves to.
public enum KeyMovement: Equatable, Sendable {
  /// An arrow.
  case up, down, left, right
  /// Page up, page down.
  case pageUp, pageDown
  /// Home, End.
  case start, end
}
