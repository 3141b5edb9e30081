internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let status = Verb(
    path: ["status"], topic: .passcode, summary: "Show the state of the store and the daemon",
    discussion: [
      "The state is absent, locked, mustChange or unlocked. Exit 0 whenever the daemon answers. Asking never keeps the "
        + "store unlocked."
    ],
    examples: [("passcode status --json", "for a program")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation, acceptsOtherStore: true)
      if invocation.wantsJSON {
        try Output.json { StatusReport.write(session.status, &$0) }
      } else {
        try Output.lines(StatusReport.lines(session.status, Style(for: 1)))
      }
    })
}

/// The status, for a person and for a program.
enum StatusReport {
  static func lines(_ status: WireStatus, _ style: Style) -> [String] {
    var rows = [["state", state(status, style)]]
    if status.state != .absent, status.storeFault == nil {
      rows.append(["wrong tries left", status.triesRemaining.map { "\($0)" } ?? "no limit"])
      if let seconds = status.retryAfterSeconds { rows.append(["passcode refused", "for \(Words.wait(seconds: seconds))"]) }
      rows.append(["quick unlock", status.quickUnlock ? "on" : "off"])
      rows.append(["recovery key", status.recovery ? "yes" : "none"])
      rows.append(["device key", status.deviceKey ? "yes: without it the passcode opens nothing" : "none"])
    }
    if !status.consentPending.isEmpty { rows.append(["consent missing", status.consentPending.joined(separator: ", ")]) }
    rows.append(["store", Output.shown(status.storePath)])
    if let id = status.storeID { rows.append(["store id", id]) }
    if let fault = status.storeFault { rows.append(["store fault", style.yellow(Output.shown(fault))]) }
    for damage in status.damage { rows.append(["damage", style.yellow(Output.shown(damage))]) }
    rows.append(["socket", Output.shown(status.socketPath)])
    for file in status.policyFiles {
      rows.append(["policy of \(owner(file))", Output.shown("\(file.path) (\(words(file)))")])
    }
    rows.append(["daemon", "\(status.version), process \(status.pid), interfaces \(status.protocolVersion)"])
    rows.append(["command", Release.version])
    if !status.memoryLocked {
      rows.append(["warning", style.yellow("the system lets too little memory be locked; secrets could reach the swap space")])
    }
    return Words.table(rows)
  }

  private static func state(_ status: WireStatus, _ style: Style) -> String {
    switch status.state {
    case .absent: "absent; run: passcode create"
    case .locked: style.yellow("locked")
    case .mustChange: style.yellow("mustChange") + "; run: passcode change"
    case .unlocked: style.green("unlocked") + (status.locksAt.map { "; if unused it locks at \(Words.moment($0))" } ?? "")
    }
  }

  private static func owner(_ file: WirePolicyFile) -> String { file.role == .administrator ? "administrator" : "user" }

  static func words(_ file: WirePolicyFile) -> String {
    switch file.state {
    case .absent: "none"
    case .inForce: "in force"
    case .faulty: "faulty, its last good version or the default stands" + (fault(file).map { ": \($0)" } ?? "")
    }
  }

  /// The fault as the daemon tells it begins with the path, which stands beside it here.
  private static func fault(_ file: WirePolicyFile) -> String? {
    guard let fault = file.fault, fault.hasPrefix(file.path + ": ") else { return file.fault }
    return String(fault.dropFirst(file.path.count + 2))
  }

  static func write(_ status: WireStatus, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("state")
    writer.string(status.state.rawValue)
    writer.key("triesRemaining")
    writer.optional(status.triesRemaining)
    writer.key("retryAfterSeconds")
    writer.optional(status.retryAfterSeconds)
    writer.key("locksAt")
    writer.optional(status.locksAt)
    writer.key("quickUnlock")
    writer.bool(status.quickUnlock)
    writer.key("recovery")
    writer.bool(status.recovery)
    writer.key("deviceKey")
    writer.bool(status.deviceKey)
    writer.key("consentPending")
    writer.strings(status.consentPending)
    writer.key("storePath")
    writer.string(status.storePath)
    writer.key("storeId")
    writer.optional(status.storeID)
    writer.key("storeFault")
    writer.optional(status.storeFault)
    writer.key("damage")
    writer.beginArray()
    for damage in status.damage { writer.string(damage) }
    writer.endArray()
    writeDaemon(status, &writer)
    writer.endObject()
  }

  private static func writeDaemon(_ status: WireStatus, _ writer: inout JSONWriter<ByteSink>) {
    writer.key("socketPath")
    writer.string(status.socketPath)
    writer.key("policyFiles")
    writer.policyFiles(status.policyFiles)
    writer.key("memoryLocked")
    writer.bool(status.memoryLocked)
    writer.key("version")
    writer.string(status.version)
    writer.key("protocolVersion")
    writer.integer(status.protocolVersion)
    writer.key("pid")
    writer.integer(status.pid)
    writer.key("commandVersion")
    writer.string(Release.version)
  }
}

extension JSONWriter where Sink: ~Copyable {
  mutating func policyFiles(_ files: [WirePolicyFile]) {
    beginArray()
    for file in files {
      beginObject()
      key("path")
      string(file.path)
      key("role")
      string(file.role.rawValue)
      key("state")
      string(file.state.rawValue)
      key("fault")
      optional(file.fault)
      endObject()
    }
    endArray()
  }
}
