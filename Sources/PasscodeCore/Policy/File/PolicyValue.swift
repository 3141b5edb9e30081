public import StrictJSON

/// A value as it stands in a policy file.
indirect enum PolicyValue: Sendable, Equatable {
  case integer(Int)
  case bool(Bool)
  case string(String)
  case null
  case array([PolicyValue])
  case object([Member])

  struct Member: Sendable, Equatable {
    let key: String
    let value: PolicyValue
  }

  static func object(_ members: KeyValuePairs<String, PolicyValue>) -> PolicyValue {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  func write<Sink: JSONSink & ~Copyable>(to writer: inout JSONWriter<Sink>) {
    switch self {
    case .integer(let value): writer.integer(value)
    case .bool(let value): writer.bool(value)
    case .string(let value): writer.string(value)
    case .null: writer.null()
    case .array(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension CustomRule {
  var policyValue: PolicyValue {
    .object(["name": .string(name), "pattern": .string(pattern), "mustMatch": .bool(mustMatch), "displayed": .bool(displayed)])
  }
}

extension ValidatorSetting {
  var policyValue: PolicyValue {
    .object([PolicyValue.Member(key: "type", value: .string(type))] + options)
  }

  private var options: [PolicyValue.Member] {
    switch self {
    case .strength(let score): [.init(key: "minimumScore", value: .integer(score))]
    case .blocklist(.common): [.init(key: "list", value: .string("common"))]
    case .blocklist(.pins): [.init(key: "list", value: .string("pins"))]
    case .blocklist(.file(let path)), .breachList(let path): [.init(key: "path", value: .string(path))]
    case .notPersonal: []
    case .noSequences(let max): [.init(key: "max", value: .integer(max))]
    case .command(let path, let seconds):
      [.init(key: "path", value: .string(path)), .init(key: "timeoutSeconds", value: .integer(seconds))]
    }
  }
}

extension [GatedForm] {
  var policyValue: PolicyValue {
    .object(map { gate in PolicyValue.Member(key: gate.form, value: .array(gate.gates.map { .string($0) })) })
  }
}

extension PasscodePolicy {
  /// Writes the policy as a policy file: every key with its value, the validators as they are in force. Read again it is the
  /// same policy, but that its validators are named.
  ///
  /// - Precondition: a value is due in the writer.
  public func write<Sink: JSONSink & ~Copyable>(to writer: inout JSONWriter<Sink>) {
    var shown = self
    shown.validators = validatorsInForce
    writer.beginObject()
    var group: String?
    for field in PolicyField.all {
      if field.key.object != group {
        if group != nil { writer.endObject() }
        group = field.key.object
        if let group {
          writer.key(group)
          writer.beginObject()
        }
      }
      writer.key(field.key.member)
      field.value(shown).write(to: &writer)
    }
    if group != nil { writer.endObject() }
    writer.endObject()
  }
}
