internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let doctor = Verb(
    path: ["doctor"], topic: .rest, summary: "Look at everything that passcoded leans on, and say what to do about the rest",
    options: [.storeOrWhole] + Option.current,
    discussion: [
      "Locked memory, swap space, login sessions, the OS keyring, pinentry, systemd's units, files and their permissions. The keyring "
        + "is tried out where the policy allows quick unlock. Exit 0 where nothing wants mending, else 1; what is only noted is no fault.",
      "With --store and no file after it: every credential and every earlier value is opened and checked, and what is hurt is named, with "
        + "what to do. That takes the unlocked store. Exit 0 where all is intact, 78 where something is hurt. With --json: sound, "
        + "intact, intactVersions, hurt (each name, version, isCurrent, harm, intactVersion), hurtCount, gaps, damage.",
    ],
    examples: [
      ("passcode doctor --json", "for a program"), ("passcode doctor --store", "whether all that the store holds is intact"),
    ],
    run: { invocation throws(CommandError) in
      if invocation.has(.wholeStore) { return try StoreCheckup.run(invocation) }
      let findings = DoctorCommand.findings(invocation)
      let isHealthy = !findings.contains { $0.state == .bad }
      if invocation.wantsJSON {
        try Output.json { DoctorCommand.write(findings, isHealthy, &$0) }
      } else {
        try Output.lines(DoctorCommand.lines(findings, Style(for: 1)))
      }
      guard isHealthy else { throw CommandError(1, "Unhealthy", "something wants mending") }
    })
}

enum DoctorCommand {
  /// What this command finds by itself, and what the daemon does. That none answers is a finding, too.
  static func findings(_ invocation: Invocation) -> [WireFinding] {
    let local = LocalDiagnosis(invocation)
    do throws(CommandError) {
      let session = try Session(invocation, acceptsOtherStore: true)
      let findings = try session.call { (client) throws(ClientError) in try client.diagnose() }
      return [daemon(session)] + findings + local.findings
    } catch {
      return [WireFinding("daemon", .bad, error.message)] + local.findings
    }
  }

  private static func daemon(_ session: Session) -> WireFinding {
    let status = session.status
    if let difference = session.client.releaseDifference {
      return WireFinding("daemon", .bad, difference, remedy: "passcode daemon restart")
    }
    if let mismatch = session.client.storeMismatch {
      return WireFinding("daemon", .bad, CommandError(mismatch).message)
    }
    return WireFinding("daemon", .good, "\(status.version), process \(status.pid), on \(status.socketPath)")
  }

  static func lines(_ findings: [WireFinding], _ style: Style) -> [String] {
    let width = (findings.map(\.id.count).max() ?? 0) + 2
    return findings.flatMap { finding in
      let mark =
        switch finding.state {
        case .good: style.green("ok  ")
        case .note: style.yellow("note")
        case .bad: style.red("mend")
        }
      let first = "\(mark)  \(Words.pad(finding.id, width))\(Output.shown(finding.text))"
      return [first] + (finding.remedy.map { [String(repeating: " ", count: width + 6) + "to do: " + Output.shown($0)] } ?? [])
    }
  }

  static func write(_ findings: [WireFinding], _ isHealthy: Bool, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("healthy")
    writer.bool(isHealthy)
    writer.key("findings")
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.key("id")
      writer.string(finding.id)
      writer.key("state")
      writer.string(finding.state.rawValue)
      writer.key("text")
      writer.string(finding.text)
      writer.key("remedy")
      writer.optional(finding.remedy)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
