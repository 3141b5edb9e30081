internal import CLinux
internal import Glibc
public import SecretMemory

/// The person's terminal, whatever 0, 1 and 2 are.
///
/// Secrets are read without echo, byte by byte, into locked memory. However the program ends, but for SIGKILL, the terminal
/// is put back as it was.
public struct Terminal: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private let marksPaste: Bool

  /// Opens the controlling terminal.
  ///
  /// - Throws: `noTerminal` when there is none.
  ///
  /// Source: tty(4).
  public static func open(environment: ProcessEnvironment = .current()) throws(PlatformError) -> Terminal {
    let opened = unsafe clinux_open("/dev/tty", O_RDWR | O_NOCTTY, 0)
    guard opened >= 0 else { throw .noTerminal }
    let kind = environment["TERM"] ?? "dumb"
    return Terminal(owning: FileDescriptor(owning: opened), marksPaste: kind != "dumb")
  }

  /// Takes over a terminal.
  ///
  /// - Parameter marksPaste: whether it is asked to mark pasted text.
  public init(owning descriptor: consuming FileDescriptor, marksPaste: Bool) {
    self.descriptor = descriptor
    self.marksPaste = marksPaste
  }

  /// Whether a descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The path of the terminal that is the first of 0, 1 and 2 that is one, such as `/dev/pts/3`; nil where none is.
  public static var path: String? {
    var name = [CChar](repeating: 0, count: 64)
    for descriptor: Int32 in 0...2 where unsafe ttyname_r(descriptor, &name, name.count) == 0 {
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return nil
  }

  /// How many columns it has now; 80 where it does not say.
  public var columns: Int {
    let columns = Int(clinux_terminal_columns(descriptor.raw))
    return columns > 0 ? columns : 80
  }

  /// How many rows it has now; 24 where it does not say.
  public var rows: Int {
    let rows = Int(clinux_terminal_rows(descriptor.raw))
    return rows > 0 ? rows : 24
  }

  /// Shows a text, which is no secret.
  ///
  /// - Throws: `system` with write(2)'s errno.
  public borrowing func write(_ text: String) throws(PlatformError) { try descriptor.writeAll(text) }

  /// Lends the keys, one by one and without echo, as they are typed; Ctrl-C is a key then, not a signal.
  ///
  /// What was typed before is read as well. When `body` throws, what was typed and not read is thrown away: the rest of a
  /// paste must not end up in a shell.
  ///
  /// - Parameter fullScreen: whether the terminal shows its second screen meanwhile, empty at first, and the first one as it was
  ///   afterwards.
  /// - Throws: what `body` throws; `system` with `EBUSY` when keys of this process are lent already, or tcsetattr(3)'s errno.
  public borrowing func withKeys<R: ~Copyable>(
    fullScreen: Bool = false, _ body: (inout KeyReader) throws(PlatformError) -> R
  ) throws(PlatformError) -> R {
    let entered = clinux_terminal_enter(descriptor.raw, marksPaste ? 1 : 0, fullScreen ? 1 : 0)
    guard entered == 0 else { throw .system(SyscallError("tcsetattr", -entered)) }
    var isComplete = false
    defer { clinux_terminal_leave(isComplete ? 0 : 1) }
    var reader = KeyReader(descriptor: descriptor.raw)
    let result = try body(&reader)
    isComplete = true
    return result
  }

  /// Asks for a secret.
  ///
  /// Backspace takes away a character, Ctrl-U all, Ctrl-W a word; Ctrl-C gives up, as does Ctrl-D on nothing; Ctrl-Z stops the
  /// program. Pasted text is taken as it is, but for one line break at its end.
  ///
  /// - Parameters:
  ///   - prompt: shown before, and again after a stop.
  ///   - limit: in bytes.
  ///   - isMultiline: Enter starts a new line and Ctrl-D ends the text; else Enter ends it.
  ///   - onChange: is lent the text after each change, once nothing more is waiting to be read: a live checklist is drawn
  ///     here. It runs without a lock and may take its time.
  /// - Throws: `cancelled`; `tooLong`, `containsNUL`: nothing is cut; `disconnected`; `secretMemory`; `system`.
  ///
  /// Secrets: the result wipes itself; nothing else held the text.
  public borrowing func readSecret(
    prompt: String, limit: Int = PasscodeText.maximumByteCount, isMultiline: Bool = false,
    onChange: (borrowing SecretBytes) throws(PlatformError) -> Void = { (_: borrowing SecretBytes) in }
  ) throws(PlatformError) -> SecretBytes {
    try edit(prompt, try SecretLineEditor(limit: limit, isMultiline: isMultiline), onChange)
  }

  /// Asks for an answer that is shown as it is typed, such as `y`.
  ///
  /// - Parameter limit: in bytes.
  /// - Returns: the line; bytes that are no UTF-8 are replaced.
  /// - Throws: as ``readSecret(prompt:limit:isMultiline:onChange:)``.
  public borrowing func readLine(prompt: String, limit: Int = 4000) throws(PlatformError) -> String {
    let editor = try SecretLineEditor(limit: limit)
    var visible = ""
    let answer = try edit(prompt, editor) { (text: borrowing SecretBytes) throws(PlatformError) in
      let typed = Self.shown(text.bytes)
      if typed != visible, typed.utf8.starts(with: visible.utf8) {
        try write(String(decoding: typed.utf8.dropFirst(visible.utf8.count), as: UTF8.self))
      } else {
        // Blanks over what is gone: not every terminal knows how to clear a line. A wide character takes two.
        let blanks = String(repeating: " ", count: typed == visible ? 0 : 2 * visible.count)
        try write("\r" + prompt + blanks + "\r" + prompt + typed)
      }
      visible = typed
    }
    return Self.shown(answer.bytes)
  }

  private borrowing func edit(
    _ prompt: String, _ start: consuming SecretLineEditor,
    _ onChange: (borrowing SecretBytes) throws(PlatformError) -> Void
  ) throws(PlatformError) -> SecretBytes {
    var editor = start
    try withKeys { (reader: inout KeyReader) throws(PlatformError) in
      try write(prompt)
      defer { try? write("\n") }
      var isShown = true
      while true {
        let key = try reader.next()
        if key == .resumed {
          try write(prompt)
          isShown = false
        }
        switch editor.apply(key) {
        case .finished: return
        case .cancelled: throw .cancelled
        case .refused(let error): throw error
        case .suspended: reader.suspend()
        case .changed: isShown = false
        case .unchanged: break
        }
        if !isShown, editor.isBetweenCharacters, !reader.hasPendingInput {
          try onChange(editor.text)
          isShown = true
        }
      }
    }
    return editor.finish()
  }

  private static func shown(_ bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
