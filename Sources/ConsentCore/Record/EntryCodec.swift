internal import SecretMemory
internal import StrictJSON

extension ConsentEntry {
  /// The longest entry, in bytes.
  public static let maximumByteCount = 64 << 10

  /// The one form of an entry as bytes: JSON in UTF-8 with these keys in this order and no white space. What is absent is not
  /// written. Instants are seconds since 1970 with the zone's offset and name; digests are lower-case hexadecimal.
  public var encoded: [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.write("sequence", sequence)
    json.write("previous", previous.hex)
    if recording != .signed { json.write("recorded", recording.rawValue) }
    json.write("event", fact.event.rawValue)
    json.write("form", fact.form.description)
    json.write("version", fact.version.description)
    json.write("locale", fact.locale.description)
    json.write("kind", fact.kind.rawValue)
    json.write("text", fact.text.hex)
    json.write("details", fact.details.hex)
    if let paper = fact.paper { json.write("paper", paper.hex) }
    json.write("uid", Int(fact.person.uid))
    json.write("account", fact.person.account)
    json.write("at", fact.at)
    json.write("means", fact.means.rawValue)
    if let expiresAt = fact.expiresAt { json.write("expiresAt", Int(expiresAt)) }
    if !fact.signatures.isEmpty {
      json.key("signatures")
      json.beginArray()
      for signature in fact.signatures { signature.write(to: &json) }
      json.endArray()
    }
    if let sharing = fact.sharing { json.write("sharing", sharing.rawValue) }
    json.endObject()
    return json.finish().bytes
  }

  /// Reads an entry. Nil for anything that ``encoded`` does not write, byte for byte, or that is too long: there is one form of
  /// an entry only.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumByteCount, let root = try? JSONDocument.parse(bytes.span, maximumDepth: 8),
      case .object(let all) = root.value
    else { return nil }
    let fields = EntryFields(all)
    guard let sequence = fields.integer("sequence", 1...Int(Int32.max)), let previous = fields.digest("previous"),
      let fact = ConsentFact(fields)
    else { return nil }
    self.init(
      sequence: sequence, previous: previous, fact: fact, recording: fields.choice("recorded", ConsentRecording.self) ?? .signed
    )
    if encoded != bytes { return nil }
  }
}

extension ConsentFact {
  fileprivate init?(_ fields: EntryFields) {
    guard let event = fields.choice("event", ConsentEvent.self),
      let form = fields.string("form").flatMap({ ConsentFormID($0) }),
      let version = fields.string("version").flatMap({ ConsentVersion($0) }),
      let locale = fields.string("locale").flatMap({ LanguageTag($0) }), let kind = fields.choice("kind", ConsentKind.self),
      let text = fields.digest("text"), let details = fields.digest("details")
    else { return nil }
    guard let uid = fields.integer("uid", 0...Int(UInt32.max)), let account = fields.string("account"),
      let person = ConsentPerson(uid: UInt32(uid), account: account), let at = fields.instant("at"),
      let means = fields.choice("means", ConsentMeans.self)
    else { return nil }
    let subject = ConsentSubject(
      form: form, version: version, locale: locale, kind: kind, text: text, details: details)
    self.init(event, of: subject, person: person, at: at, means: means)
    paper = fields.digest("paper")
    expiresAt = fields.integer("expiresAt", 0...Int(Int64.max)).map { Int64($0) }
    sharing = fields.choice("sharing", SharingAnswer.self)
    let signatures = fields.objects("signatures").map { RecordedSignature($0) }
    if signatures.contains(nil) { return nil }
    self.signatures = signatures.compactMap { $0 }
  }
}

extension RecordedSignature {
  fileprivate func write(to json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("id", id)
    json.write("role", role)
    if let givenName { json.write("givenName", givenName) }
    if let familyName { json.write("familyName", familyName) }
    if let nameOrder { json.write("nameOrder", nameOrder.rawValue) }
    if let image { json.write("image", image.hex) }
    if let signedAt { json.write("at", signedAt) }
    if !fields.isEmpty {
      json.key("fields")
      json.beginArray()
      for field in fields {
        json.beginObject()
        json.write("id", field.id)
        json.write("value", field.value)
        json.endObject()
      }
      json.endArray()
    }
    json.endObject()
  }

  fileprivate init?(_ json: EntryFields) {
    guard let id = json.string("id"), let role = json.string("role") else { return nil }
    self.init(id: id, role: role)
    givenName = json.string("givenName")
    familyName = json.string("familyName")
    nameOrder = json.choice("nameOrder", ConsentNameOrder.self)
    image = json.digest("image")
    signedAt = json.instant("at")
    for field in json.objects("fields") {
      guard let id = field.string("id"), let value = field.string("value") else { return nil }
      fields.append(RecordedField(id: id, value: value))
    }
  }
}

extension JSONWriter where Sink == ByteSink {
  mutating func write(_ name: StaticString, _ value: Int) {
    key(name)
    integer(value)
  }

  mutating func write(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  mutating func write(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  mutating func write(_ name: StaticString, _ value: ZonedInstant) {
    key(name)
    beginObject()
    write("seconds", Int(value.seconds))
    write("offset", value.offset)
    write("zone", value.zone)
    endObject()
  }
}

/// The members of an object. What is of another kind reads as absent: the comparison with the one right form finds it.
private struct EntryFields {
  private let members: [String: JSONNode]

  init(_ members: [JSONMember]) {
    self.members = Dictionary(uniqueKeysWithValues: members.lazy.map { ($0.key, $0.node) })
  }

  func string(_ key: String) -> String? { if case .string(let text)? = members[key]?.value { text } else { nil } }
  func digest(_ key: String) -> Digest? { string(key).flatMap { Digest(hex: $0) } }

  func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
    guard case .integer(let value)? = members[key]?.value, let value = Int(exactly: value) else { return nil }
    return range.contains(value) ? value : nil
  }

  func choice<Choice: RawRepresentable<String>>(_ key: String, _: Choice.Type) -> Choice? {
    string(key).flatMap { Choice(rawValue: $0) }
  }

  func objects(_ key: String) -> [EntryFields] {
    guard case .array(let elements)? = members[key]?.value else { return [] }
    return elements.map { if case .object(let members) = $0.value { EntryFields(members) } else { EntryFields([]) } }
  }

  func instant(_ key: String) -> ZonedInstant? {
    guard case .object(let inner)? = members[key]?.value else { return nil }
    let fields = EntryFields(inner)
    guard let seconds = fields.integer("seconds", 0...Int(Int64.max)), let zone = fields.string("zone"),
      let offset = fields.integer("offset", -64800...64800)
    else { return nil }
    return ZonedInstant(seconds: Int64(seconds), offset: offset, zone: zone)
  }
}
