internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

/// `doctor --store`: a look at every value in the store.
enum StoreCheckup {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let session = try Session(invocation)
    let facts = try session.unlocked { client throws(ClientError) in try client.inspect() }
    if invocation.wantsJSON {
      try Output.json { write(facts, &$0) }
    } else {
      try Output.lines(lines(facts, Style(for: 1)))
    }
    guard facts.isSound else {
      throw CommandError(
        exitCode: 78, name: WireErrorName.damaged.fullName,
        message: "the store is damaged; take out what is whole: passcode export --salvage FILE, or bring back a backup",
        facts: [("damage", .texts(facts.damage))])
    }
  }

  // MARK: - For a person

  static func lines(_ facts: InspectionFacts, _ style: Style) -> [String] {
    let counts =
      "\(Words.count(facts.intact, "credential is", "credentials are")) intact, and "
      + Words.count(facts.intactVersions, "earlier value", "earlier values")
    var lines = [(facts.isSound ? style.green("ok  ") : style.red("mend")) + "  " + counts]
    lines += facts.damage.map { style.red("mend") + "  " + Output.shown($0) }
    if facts.gaps > 0 {
      let parts = Words.count(facts.gaps, "part of the file", "parts of the file")
      lines.append(style.red("mend") + "  \(parts) can't be read; what lay there is not in any count")
    }
    for hurt in facts.hurt {
      lines.append(style.red("mend") + "  " + HurtWords.text(hurt))
      lines.append("      to do: " + HurtWords.remedy(hurt, isReadOnly: !facts.damage.isEmpty))
    }
    let more = facts.hurtCount - facts.hurt.count
    if more > 0 { lines.append(style.red("mend") + "  and \(Words.count(more, "value", "values")) more") }
    return lines
  }

  // MARK: - For a program

  private static func write(_ facts: InspectionFacts, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("sound")
    writer.bool(facts.isSound)
    for (key, count) in [("intact", facts.intact), ("intactVersions", facts.intactVersions)] {
      writer.key(key)
      writer.integer(count)
    }
    writer.key("hurt")
    writer.beginArray()
    for hurt in facts.hurt { HurtWords.write(hurt, &writer) }
    writer.endArray()
    for (key, count) in [("hurtCount", facts.hurtCount), ("gaps", facts.gaps)] {
      writer.key(key)
      writer.integer(count)
    }
    writer.key("damage")
    writer.strings(facts.damage)
    writer.endObject()
  }
}

/// A hurt value, in words.
enum HurtWords {
  /// What it is and what is wrong with it.
  static func text(_ hurt: WireHurt) -> String { "\(subject(hurt)): \(harm(hurt.harm))" }

  private static func subject(_ hurt: WireHurt) -> String {
    let name = hurt.name.map { "'\($0.shown)'" }
    return switch (name, hurt.isCurrent) {
    case (.some(let name), true): name
    case (.some(let name), false): "version \(hurt.version) of \(name)"
    case (.none, true): "a credential whose name can't be read (version \(hurt.version))"
    case (.none, false): "an earlier value whose name can't be read (version \(hurt.version))"
    }
  }

  private static func harm(_ harm: WireHarm) -> String {
    switch harm {
    case .unreadable: "nothing of it can be opened"
    case .secretUnreadable: "its secret can't be opened"
    case .misplaced: "it is whole, and lies where its name does not lead to it"
    case .stray: "a copy of it lies under another name; the credential itself is in its place"
    case .replayed: "an earlier value was put back in its place"
    case .unlisted: "it is whole, and its folders or attributes do not lead to it"
    }
  }

  /// - Parameter isReadOnly: the daemon writes nothing to this store.
  static func remedy(_ hurt: WireHurt, isReadOnly: Bool) -> String {
    if let version = hurt.intactVersion, let name = hurt.name?.shown, hurt.isCurrent, !hurt.harm.isToldAllTheSame {
      return isReadOnly
        ? "version \(version) is intact: passcode get '\(name)' --version \(version)"
        : "version \(version) is intact: passcode history '\(name)' --restore \(version)"
    }
    switch hurt.harm {
    case .unreadable, .secretUnreadable:
      return hurt.isCurrent ? "bring it back from a backup" : "nothing: the value of today is another one"
    case .misplaced, .replayed, .unlisted: return "look at it in what passcode export --salvage takes out"
    case .stray: return "nothing: it is left out"
    }
  }

  static func write(_ hurt: WireHurt, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("name")
    writer.optional(hurt.name)
    writer.key("version")
    writer.integer(hurt.version)
    writer.key("isCurrent")
    writer.bool(hurt.isCurrent)
    writer.key("harm")
    writer.string(hurt.harm.rawValue)
    writer.key("intactVersion")
    writer.optional(hurt.intactVersion)
    writer.endObject()
  }
}
