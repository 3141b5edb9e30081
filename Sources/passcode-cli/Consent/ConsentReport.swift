internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

/// Forms and entries, for a person and for a program.
enum ConsentReport {
  static func table(_ forms: [WireConsentForm]) -> [String] {
    let rows = forms.map { form in
      [
        form.id, form.version, ConsentWords.need(form), ConsentWords.state(form.state),
        form.answeredAt.map(Words.moment) ?? "-", form.gates.isEmpty ? "-" : form.gates.joined(separator: " "), form.title,
      ].map(Output.shown)
    }
    guard Output.isTerminal, !rows.isEmpty else { return Words.table(rows) }
    var lines = Words.table([["FORM", "VERSION", "", "STATE", "SINCE", "GATES", "TITLE"]] + rows)
    lines[0] = Style(for: 1).bold(lines[0])
    return lines
  }

  static func rows(_ records: [WireConsentRecord]) -> [[String]] {
    records.map { record in
      [
        "\(record.sequence)", Words.moment(record.at), record.form, record.version, ConsentWords.event(record.event),
        ConsentWords.means(record.means), record.account, ConsentWords.recording(record),
      ].map(Output.shown)
    }
  }

  static func write(_ form: WireConsentForm, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.text("form", form.id)
    writer.text("version", form.version)
    writer.text("kind", form.kind.rawValue)
    writer.key("required")
    writer.bool(form.isRequired)
    writer.text("origin", form.origin.rawValue)
    writer.key("gates")
    writer.strings(form.gates)
    writer.text("locale", form.locale)
    writer.text("title", form.title)
    writer.text("sha256", form.sha256)
    writer.text("state", form.state.rawValue)
    writer.key("isAsked")
    writer.bool(form.isAsked)
    writer.key("answeredVersion")
    writer.optional(form.answeredVersion)
    writer.key("answeredAt")
    writer.optional(form.answeredAt)
    writer.key("expiresAt")
    writer.optional(form.expiresAt)
    writer.key("agreedBefore")
    writer.optional(form.agreedBefore)
    writer.endObject()
  }

  static func write(_ fault: WireFormFault, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.text("file", fault.path)
    writer.key("line")
    writer.optional(fault.line)
    writer.key("column")
    writer.optional(fault.column)
    writer.text("message", fault.message)
    writer.endObject()
  }

  static func write(_ records: [WireConsentRecord], _ writer: inout JSONWriter<ByteSink>) {
    writer.beginArray()
    for record in records { write(record, &writer) }
    writer.endArray()
  }

  static func write(_ record: WireConsentRecord, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("entry")
    writer.integer(record.sequence)
    writer.text("id", record.id)
    writer.text("form", record.form)
    writer.text("version", record.version)
    writer.text("locale", record.locale)
    writer.text("sha256", record.sha256)
    writer.text("event", record.event.rawValue)
    writer.key("at")
    writer.integer(record.at)
    writer.text("zone", record.zone)
    writer.text("means", record.means.rawValue)
    writer.text("account", record.account)
    writer.text("recording", record.recording.rawValue)
    writer.key("isSigned")
    writer.bool(record.isSigned)
    writer.endObject()
  }
}

extension JSONWriter where Sink: ~Copyable {
  mutating func text(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }
}
