internal import PasscodePlatform

/// Where a client sits: the variables and the terminal that a pinentry needs to reach its person.
///
/// All of it comes from the client. Only variables that a pinentry needs are kept, and only values that are what they claim to
/// be: display names, addresses, locale names.
public struct PromptSurroundings: Sendable, Equatable {
  /// The names kept; of locales also each `LC_…`.
  public static let variableNames = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TERM", "LANG"]
  /// The longest value kept, in bytes.
  public static let maximumValueByteCount = 1024

  /// What was kept.
  public let variables: [String: String]
  /// The terminal that the client named, such as `/dev/pts/3`; not checked yet.
  public let terminal: String?

  /// The surroundings that a client tells.
  ///
  /// - Parameters:
  ///   - variables: of its environment; what is not needed, empty or odd is left out.
  ///   - terminal: the path of its controlling terminal.
  public init(variables: [String: String], terminal: String?) {
    self.variables = variables.filter { Self.isKept($0.key, $0.value) }
    self.terminal = terminal.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a window can be shown.
  public var hasDisplay: Bool { variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil }

  /// The kind of its terminal.
  var terminalKind: String? { variables["TERM"] }

  /// The locale of typed text; UTF-8 where the client names none.
  var characterLocale: String { variables["LC_ALL"] ?? variables["LC_CTYPE"] ?? variables["LANG"] ?? "C.UTF-8" }

  /// The locale of messages.
  var messageLocale: String? { variables["LC_ALL"] ?? variables["LC_MESSAGES"] ?? variables["LANG"] }

  private static let localeNames: Set = [
    "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY",
    "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
  ]

  private static func isKept(_ name: String, _ value: String) -> Bool {
    guard !value.isEmpty, value.utf8.count <= maximumValueByteCount else { return false }
    // A locale is a name, never a path: the C library would load it from there.
    if name == "LANG" || localeNames.contains(name) {
      return value.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "@") }
    }
    if name == "TERM" { return value.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "+") } }
    guard variableNames.contains(name) else { return false }
    // Other kinds of address would have pinentry start programs of the client's choice.
    if name == "DBUS_SESSION_BUS_ADDRESS", !value.split(separator: ";").allSatisfy({ $0.hasPrefix("unix:") }) { return false }
    return value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// Who asks, and where it sits.
public struct PromptClient: Sendable {
  /// Its variables and its terminal.
  public let surroundings: PromptSurroundings
  /// Its process; without one its terminal is not used.
  public let process: PeerProcess?

  /// A client.
  public init(surroundings: PromptSurroundings, process: PeerProcess?) {
    self.surroundings = surroundings
    self.process = process
  }

  /// Who asks, in words: any program can give itself any name, and the words say so.
  var introduction: String {
    guard let process else { return "Asked for by an unknown program" }
    let name = process.name.map {
      String($0.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-+".contains($0)) ? $0 : "?" })
    }
    let number = process.credentials.pid
    return "Asked for by \(name.map { "\"\($0)\"" } ?? "a program that has ended") (unverified name, process \(number))"
  }
}
