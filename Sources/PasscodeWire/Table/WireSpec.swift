/// A Varlink type.
///
/// Source: UAPI.20, "Interface definition".
public indirect enum WireType: Sendable {
  /// `bool`
  case bool
  /// `int`: 64 bits, signed.
  case int
  /// `float`
  case float
  /// `string`
  case string
  /// `object`: any JSON object.
  case object
  /// `(a, b)`: one of some words.
  case enumeration([String])
  /// `(a: T, …)`
  case structure([FieldSpec])
  /// `[]T`
  case array(WireType)
  /// `[string]T`
  case map(WireType)
  /// `?T`: may be null or absent.
  case optional(WireType)
  /// A type with a name.
  case named(TypeSpec)

  /// The words of a Swift enumeration whose raw values they are.
  public static func words<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type) -> Self {
    .enumeration(type.allCases.map(\.rawValue))
  }

  /// The type itself, where this is a name or an option of one.
  var resolved: WireType {
    switch self {
    case .optional(let wrapped): wrapped.resolved
    case .named(let named): named.type.resolved
    default: self
    }
  }

  /// The type as an IDL file writes it, without comments, on one line.
  public var idl: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .enumeration(let words): "(" + words.joined(separator: ", ") + ")"
    case .structure(let fields): FieldSpec.idl(fields)
    case .array(let element): "[]" + element.idl
    case .map(let element): "[string]" + element.idl
    case .optional(let wrapped): "?" + wrapped.idl
    case .named(let type): type.name.description
    }
  }
}

/// A type with a name, as an interface declares it.
public struct TypeSpec: Sendable {
  /// Its name within the interface.
  public let name: StaticString
  /// What it stands for.
  public let type: WireType

  /// A named type.
  public init(_ name: StaticString, _ type: WireType) {
    self.name = name
    self.type = type
  }
}

/// One field of a call, a reply, an error or a type.
public struct FieldSpec: Sendable {
  /// Its name.
  public let field: WireField
  /// Its type; ``WireType/optional(_:)`` where it may be absent.
  public let type: WireType
  /// Whether it holds a secret: then it is only ever read into, and written from, locked memory.
  public let isSecret: Bool
  /// Whether it may be null or absent.
  public let isOptional: Bool

  /// A field that holds no secret.
  public init(_ field: WireField, _ type: WireType) { self.init(field, type, isSecret: false) }

  /// A string that holds a secret.
  public static func secret(_ field: WireField) -> Self { Self(field, .string, isSecret: true) }

  /// A string that holds a secret and may be absent.
  public static func optionalSecret(_ field: WireField) -> Self { Self(field, .optional(.string), isSecret: true) }

  private init(_ field: WireField, _ type: WireType, isSecret: Bool) {
    self.field = field
    self.type = type
    self.isSecret = isSecret
    if case .optional = type { isOptional = true } else { isOptional = false }
  }

  static func idl(_ fields: [FieldSpec]) -> String {
    "(" + fields.map { "\($0.field): \($0.type.idl)" }.joined(separator: ", ") + ")"
  }
}

/// What the parser asks of a field: a ``FieldSpec`` without anything that has to be counted when it is looked at.
struct FieldRule: Sendable {
  enum Shape: Sendable { case bool, int, float, text, mapOfTexts, arrayOfTexts, other }

  let name: StaticString
  let shape: Shape
  let isOptional: Bool

  init(_ spec: FieldSpec) {
    name = spec.field.name
    isOptional = spec.isOptional
    shape =
      switch spec.type.resolved {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .string: .text
      case .map(.string): .mapOfTexts
      case .array(.string): .arrayOfTexts
      default: .other
      }
  }
}

/// How many replies a method gives to a call with `more`.
public enum ReplyCount: Sendable {
  /// One, always.
  case one
  /// Several with `more`, one without.
  case several
  /// Several, and `more` is needed: without it `ExpectedMore`.
  case stream
}

/// One method.
public struct MethodSpec: Sendable {
  /// Its name within the interface.
  public let name: StaticString
  /// What it takes. At most ``WireLimits/maximumFieldCount``.
  public let parameters: [FieldSpec]
  /// What each reply holds. At most ``WireLimits/maximumFieldCount``.
  public let reply: [FieldSpec]
  /// How many replies there are.
  public let replies: ReplyCount
  let parameterRules: [FieldRule]
  let replyRules: [FieldRule]

  /// A method.
  public init(_ name: StaticString, _ parameters: [FieldSpec], returns reply: [FieldSpec] = [], replies: ReplyCount = .one) {
    precondition(max(parameters.count, reply.count) <= WireLimits.maximumFieldCount, "a method has too many fields")
    self.name = name
    self.parameters = parameters
    self.reply = reply
    self.replies = replies
    parameterRules = parameters.map(FieldRule.init)
    replyRules = reply.map(FieldRule.init)
  }

  /// The method as an IDL file writes it, without comments, on one line.
  public var idl: String { "method \(name)\(FieldSpec.idl(parameters)) -> \(FieldSpec.idl(reply))" }
}

/// One error.
public struct ErrorSpec: Sendable {
  /// Its name within the interface.
  public let name: StaticString
  /// What it tells.
  public let parameters: [FieldSpec]

  /// An error.
  public init(_ name: StaticString, _ parameters: [FieldSpec] = []) {
    self.name = name
    self.parameters = parameters
  }

  /// The error as an IDL file writes it, without comments, on one line.
  public var idl: String { "error \(name) \(FieldSpec.idl(parameters))" }
}

/// One interface.
public struct InterfaceSpec: Sendable {
  /// Its name, such as `org.passcoded.Passcode`.
  public let name: StaticString
  /// Its types.
  public let types: [TypeSpec]
  /// Its methods.
  public let methods: [MethodSpec]
  /// Its errors.
  public let errors: [ErrorSpec]
  /// The text of its IDL file.
  public let description: [UInt8]

  /// An interface.
  public init(
    _ name: StaticString, types: [TypeSpec] = [], methods: [MethodSpec], errors: [ErrorSpec], description: [UInt8]
  ) {
    self.name = name
    self.types = types
    self.methods = methods
    self.errors = errors
    self.description = description
  }
}
