internal import CLinux
internal import Glibc

/// Environment variables as a value, so that a rule over them can be tested.
public struct ProcessEnvironment: Sendable {
  private let values: [String: String]

  /// An environment of these variables.
  public init(_ values: [String: String]) { self.values = values }

  /// The variables of this process.
  ///
  /// Read once, before threads that change them.
  public static func current() -> ProcessEnvironment {
    var values: [String: String] = [:]
    guard var entry = unsafe clinux_environment() else { return ProcessEnvironment(values) }
    // SAFETY: environ(7): an array of NUL-ended strings, ended by a null pointer.
    while let text = unsafe entry.pointee {
      let variable = unsafe String(cString: text)
      if let equals = variable.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(variable[..<equals])
        if values[name] == nil { values[name] = String(variable[variable.utf8.index(after: equals)...]) }
      }
      unsafe entry += 1
    }
    return ProcessEnvironment(values)
  }

  /// A variable's value, or nil where it is unset or empty.
  public subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A variable that holds an absolute path, or nil: a relative or empty value is ignored.
  ///
  /// Source: XDG Base Directory Specification 0.8: "must be absolute … should consider the path invalid and ignore it".
  public func absolutePath(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// Whether a variable is set, even to nothing.
  public func isSet(_ name: String) -> Bool { values[name] != nil }

  /// The variables that an autostarted daemon gets, as `NAME=value`, sorted.
  ///
  /// The rest stays behind: the daemon outlives the command and must not act on its surroundings.
  public var forDaemon: [String] {
    let names: Set = ["HOME", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "LANG"]
    let prefixes = ["XDG_", "LC_", "PASSCODED_"]
    return
      values
      .filter { name, _ in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
      .map { "\($0)=\($1)" }
      .sorted()
  }
}
