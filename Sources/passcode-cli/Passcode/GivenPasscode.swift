internal import Glibc
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// Passcodes that the command line says where to read: a descriptor or a file.
enum GivenPasscode {
  /// The current passcode; nil where the command line names no source.
  static func current(_ invocation: Invocation) throws(CommandError) -> SecretBytes? {
    try read(invocation, .passcodeFD, .passcodeFile)
  }

  /// The new passcode; nil where the command line names no source.
  ///
  /// - Parameter takesEither: whether the options of the current passcode serve as well, as in a verb that has only one.
  static func new(_ invocation: Invocation, takesEither: Bool) throws(CommandError) -> SecretBytes? {
    if let passcode = try read(invocation, .newPasscodeFD, .newPasscodeFile) { return passcode }
    return takesEither ? try current(invocation) : nil
  }

  /// The recovery key, as it was written down; nil where the command line names no source.
  static func recoveryKey(_ invocation: Invocation) throws(CommandError) -> SecretBytes? {
    try read(invocation, .recoveryKeyFD, .recoveryKeyFile)
  }

  /// Refuses two sources for one passcode, and one source for two of them.
  static func check(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .passcodeFD, .passcodeFile)
    try invocation.requireOne(of: .newPasscodeFD, .newPasscodeFile)
    try invocation.requireOne(of: .recoveryKeyFD, .recoveryKeyFile)
    let current = try descriptor(invocation, .passcodeFD, .passcodeFile)
    let key = try descriptor(invocation, .recoveryKeyFD, .recoveryKeyFile)
    let new = try descriptor(invocation, .newPasscodeFD, .newPasscodeFile)
    // Now, before this process opens anything that could land on the number.
    for given in [current, key, new].compactMap({ $0 }) where fcntl(given, F_GETFD) < 0 {
      throw CommandError(66, "NoInput", "descriptor \(given) is not open")
    }
    guard let new else { return }
    if new == current {
      throw .usage("the current and the new passcode can't come from the same descriptor", verb: invocation.verb)
    }
    if new == key {
      throw .usage("the recovery key and the new passcode can't come from the same descriptor", verb: invocation.verb)
    }
  }

  /// Whether the standard input is taken for a passcode.
  static func readsStandardInput(_ invocation: Invocation) throws(CommandError) -> Bool {
    try descriptor(invocation, .passcodeFD, .passcodeFile) == 0
  }

  private static func descriptor(_ invocation: Invocation, _ number: Option, _ file: Option) throws(CommandError) -> Int32? {
    if invocation.value(file) == "-" { return 0 }
    guard let descriptor = try invocation.number(number) else { return nil }
    guard let raw = Int32(exactly: descriptor) else { throw .usage("--\(number.long) is too large", verb: invocation.verb) }
    return raw
  }

  private static func read(_ invocation: Invocation, _ number: Option, _ file: Option) throws(CommandError) -> SecretBytes? {
    if invocation.has(number), let raw = try descriptor(invocation, number, file) {
      return try reading("descriptor \(raw)") { () throws(PlatformError) in try SecretInput.readPasscode(descriptor: raw) }
    }
    guard let path = invocation.value(file) else { return nil }
    return try reading(path == "-" ? "stdin" : path) { () throws(PlatformError) in try SecretInput.readPasscode(file: path) }
  }

  private static func reading(
    _ source: String, _ body: () throws(PlatformError) -> SecretBytes
  ) throws(CommandError) -> SecretBytes {
    do {
      return try body()
    } catch .tooLong {
      throw CommandError(WireError.invalidText(.tooLong))
    } catch .file(let path, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      throw CommandError(66, "NoInput", "there is no file \(path)")
    } catch .system(let error) where error.errno == EBADF {
      throw CommandError(66, "NoInput", "\(source) is not open")
    } catch .system(let error) {
      throw CommandError(74, "System", "\(source): \(error)")
    } catch {
      throw CommandError(error)
    }
  }
}
