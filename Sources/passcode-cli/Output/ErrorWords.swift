internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

extension CommandError {
  /// What a failed call means to a person, with its exit code.
  init(_ error: ClientError) {
    switch error {
    case .daemon(let error): self.init(error)
    case .noDaemon(let socket, let reason): self.init(69, Self.noDaemonName, Self.words(socket, reason))
    case .otherStore(let socket, let wanted, let served):
      self.init(
        78, "OtherStore",
        "the daemon at \(socket) serves \(served), not \(wanted); name another socket with --socket, or run: passcode daemon stop"
      )
      facts = [("served", .text(served)), ("wanted", .text(wanted))]
    case .platform(let error): self.init(error)
    case .disconnected:
      self.init(69, "Disconnected", "the daemon closed the connection; passcode daemon log may say why")
    case .unresponsive(let pid):
      let way = pid.map { "try again, or end it with: kill -KILL \($0)" } ?? "try again"
      self.init(75, "Unresponsive", "the daemon\(pid.map { " (process \($0))" } ?? "") does not answer; \(way)")
      facts = pid.map { [("pid", .number(Int($0)))] } ?? []
    case .badReply(let what):
      self.init(
        76, "Protocol",
        "the daemon's answer was not understood (\(what)); if the two are of different releases, run: passcode daemon restart")
    case .secretMemory(let error): self.init(PlatformError.secretMemory(error))
    case .tooLarge(let limit): self.init(WireError.tooLarge(limit: limit))
    }
  }

  private static func words(_ socket: String, _ reason: NoDaemonReason) -> String {
    let nobody = "no daemon answers at \(socket)"
    return switch reason {
    case .autostartOff: "\(nobody), and this command was to start none"
    case .explicitSocket:
      "\(nobody); one is started there only with an explicit store: add --store FILE, or start passcoded yourself"
    case .systemdOwnsSocket:
      "\(nobody), and systemd is to listen there; run: systemctl --user start passcoded.socket"
    case .notInstalled: "\(nobody), and passcoded is neither beside this program nor in ../libexec; install it there"
    case .isThisProgram(let path): "\(nobody), and \(path) is this program itself; install passcoded beside it"
    case .ended(let log): "the daemon started and ended again; \(log) says why"
    case .silent(let log): "the daemon started but does not answer; \(log) may say why"
    }
  }

  /// An operating system's refusal.
  init(_ error: PlatformError) {
    switch error {
    case .cancelled: self.init(exitCode: 2, name: WireErrorName.cancelled.fullName, message: "cancelled; nothing was changed")
    case .noTerminal: self = .nobodyToAsk
    case .tooLong(let limit): self.init(65, "TooLarge", "the input is longer than \(limit) bytes; nothing was taken")
    case .containsNUL: self.init(WireError.invalidText(.containsNUL))
    case .unsafeFile, .foreignPeer, .attachedDescriptors: self.init(77, "Unsafe", "\(error)")
    case .notAFile: self.init(73, "NotAFile", "\(error)")
    case .unsafeDirectory, .socketPathTooLong, .invalidPath, .notASocket, .noHome:
      self.init(78, "Configuration", "\(error)")
    case .alreadyServing, .timedOut: self.init(75, "TryAgain", "\(error); try again")
    case .secretMemory: self.init(75, "TryAgain", "\(error)")
    case .disconnected, .system, .file: self.init(74, "System", "\(error)")
    }
  }

  /// There is no way to ask for a passcode.
  static var nobodyToAsk: CommandError {
    CommandError(
      exitCode: 75, name: WireErrorName.noPrompt.fullName,
      message:
        "a passcode is needed, and there is no terminal or display to ask on; give it with --passcode-file or --passcode-fd")
  }
}
