internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let daemonStatus = Verb(
    path: ["daemon", "status"], topic: .rest, summary: "Show whether the daemon runs, and which one",
    discussion: ["Starts none: exit 69 where none runs."],
    run: { invocation throws(CommandError) in
      let status = try Session(invocation, autostarts: false, acceptsOtherStore: true).status
      guard !invocation.wantsJSON else { return try Output.json { StatusReport.write(status, &$0) } }
      try Output.lines(
        Words.table([
          ["daemon", "\(status.version), process \(status.pid)"], ["socket", Output.shown(status.socketPath)],
          ["store", "\(Output.shown(status.storePath)) (\(status.state.rawValue))"],
        ]))
    })

  static let daemonStop = Verb(
    path: ["daemon", "stop"], topic: .rest, summary: "Lock the store and end the daemon",
    discussion: ["Where none runs there is nothing to do: exit 0."],
    run: { invocation throws(CommandError) in
      let isStopped = try DaemonCommand.stop(invocation)
      try DaemonCommand.report(isStopped ? "the daemon has ended" : "no daemon was running", isStopped, invocation)
    })

  static let daemonRestart = Verb(
    path: ["daemon", "restart"], topic: .rest, summary: "End the daemon and start it anew; the store is locked then",
    discussion: ["After an update this puts the new release to work."],
    run: { invocation throws(CommandError) in
      _ = try DaemonCommand.stop(invocation)
      let status = try Session(invocation).status
      guard !invocation.wantsJSON else { return try Output.json { StatusReport.write(status, &$0) } }
      Output.note("the daemon runs: \(status.version), process \(status.pid)", unless: invocation.isQuiet)
    })

  static let daemonLog = Verb(
    path: ["daemon", "log"], topic: .rest, summary: "Print the log of a daemon that was started by this command",
    discussion: [
      "It holds no secret and no name of a credential. A daemon that systemd started logs to the journal: "
        + "journalctl --user -u passcoded."
    ],
    run: { _ throws(CommandError) in try DaemonCommand.printLog() })
}

enum DaemonCommand {
  /// How long a daemon may take to end.
  private static let limit = Duration.seconds(30)

  /// - Returns: false where none ran.
  static func stop(_ invocation: Invocation) throws(CommandError) -> Bool {
    let session: Session
    do {
      session = try Session(invocation, autostarts: false, acceptsOtherStore: true)
    } catch  where error.isNoDaemon {
      return false
    }
    do {
      try session.client.stop()
    } catch .disconnected {
      // It ended before its reply was out: that is what was asked for.
    } catch {
      throw CommandError(error)
    }
    try waitForEnd(pid: session.status.pid)
    return true
  }

  /// Waits for the process itself: only then its locks are free for the next one.
  private static func waitForEnd(pid: Int) throws(CommandError) {
    guard let pid = Int32(exactly: pid), pid > 0 else { return }
    let deadline = Deadline(limit)
    while RunningProcess.isRunning(pid) {
      guard !deadline.isOver else {
        throw CommandError(75, "TryAgain", "the daemon (process \(pid)) was told to end and still runs; try again")
      }
      usleep(2000)
    }
  }

  static func report(_ text: String, _ isStopped: Bool, _ invocation: Invocation) throws(CommandError) {
    guard invocation.wantsJSON else { return Output.note(text, unless: invocation.isQuiet) }
    try Output.json { writer in
      writer.beginObject()
      writer.key("stopped")
      writer.bool(isStopped)
      writer.endObject()
    }
  }

  /// The log, and the one before it.
  static func printLog() throws(CommandError) {
    let text: [UInt8]?
    do { text = try readLog() } catch { throw CommandError(error) }
    guard let text else {
      throw CommandError(66, "NoInput", "there is no log yet; a daemon of systemd logs to the journal")
    }
    guard Output.isTerminal else { return try Output.write(text.span) }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    try Output.write(Array(lines.map { String($0).shown }.joined(separator: "\n").utf8).span)
  }

  private static func readLog() throws(PlatformError) -> [UInt8]? {
    let path = try UserDirectories.current().state + "/daemon.log"
    var text: [UInt8]?
    for file in [path + ".1", path] where try Files.status(of: file) != nil {
      text = (text ?? []) + (try Files.read(file, limit: 64 << 20))
    }
    return text
  }
}
