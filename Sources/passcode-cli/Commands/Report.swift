internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let report = Verb(
    path: ["report"], topic: .rest, summary: "Say which policy is in force, and how the store and its passcode stand",
    discussion: [
      "For a fleet: it names no credential, no person and no path. The digest is the same wherever the policy is the same. When the "
        + "passcode expires is known only while the store is unlocked."
    ],
    examples: [("passcode report --json", "for the one who looks after many machines")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation, acceptsOtherStore: true)
      let report = try session.call { (client) throws(ClientError) in try client.report() }
      guard !invocation.wantsJSON else { return try Output.json { FleetReport.write(report, &$0) } }
      try Output.lines(FleetReport.lines(report))
    })
}

/// The report, for a person and for a program.
private enum FleetReport {
  static func lines(_ report: StoreReport) -> [String] {
    Words.table(
      [
        ["state", report.state.rawValue], ["policy digest", report.policyDigest],
        ["expires", expiry(report)],
        ["memory locked", report.isMemoryLocked ? "yes" : "no"], ["daemon", report.version], ["command", Release.version],
      ] + report.policyFiles.map { ["policy of the \($0.role.rawValue)", words($0.state)] })
  }

  /// The date is within the store.
  private static func expiry(_ report: StoreReport) -> String {
    if let date = report.passcodeExpiresAt { return Words.moment(date) }
    switch report.state {
    case .absent: return "no passcode yet"
    case .locked: return "told only while the store is unlocked"
    case .mustChange, .unlocked: return "never"
    }
  }

  private static func words(_ state: WirePolicyFileState) -> String {
    switch state {
    case .absent: "none"
    case .inForce: "in force"
    case .faulty: "faulty, its last good version or the default stands; passcode status tells more"
    }
  }

  static func write(_ report: StoreReport, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("state")
    writer.string(report.state.rawValue)
    writer.key("policyDigest")
    writer.string(report.policyDigest)
    writer.key("policyFiles")
    writer.beginObject()
    for file in report.policyFiles {
      writer.key(file.role.rawValue)
      writer.string(file.state.rawValue)
    }
    writer.endObject()
    writer.key("passcodeExpiresAt")
    writer.optional(report.passcodeExpiresAt)
    writer.key("memoryLocked")
    writer.bool(report.isMemoryLocked)
    writer.key("version")
    writer.string(report.version)
    writer.key("commandVersion")
    writer.string(Release.version)
    writer.endObject()
  }
}
