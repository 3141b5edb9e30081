internal import PasscodeCore

/// What is wrong with a policy file.
struct FaultyPolicyFile: Error, Equatable, Sendable {
  let path: String
  /// From 1; nil where the fault is of the whole file.
  let line: Int?
  /// From 1.
  let column: Int?
  /// Lower case and without a full stop.
  let message: String

  /// A fault that shows when the file is put to work, at the path in it that is at fault.
  init(_ text: PolicyText, _ message: String, at named: String?) {
    path = text.path
    let place = named.flatMap { text.place(naming: $0) }
    (line, column) = (place?.line, place?.column)
    self.message = message
  }

  /// A gate that no form can open, at its key in the file.
  init(_ text: PolicyText, _ message: String, gate form: String) {
    path = text.path
    let place = text.place(ofGate: form)
    (line, column) = (place?.line, place?.column)
    self.message = message
  }

  /// A fault of the whole file.
  init(_ path: String, _ message: String) {
    self.path = path
    line = nil
    column = nil
    self.message = message
  }

  /// The first fault in the file's text.
  init(_ path: String, _ fault: PolicyFileFault) {
    self.path = path
    line = fault.line
    column = fault.column
    message = fault.message + (fault.suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
  }
}

extension FaultyPolicyFile: CustomStringConvertible {
  /// Where and what, on one line.
  var description: String {
    guard let line, let column else { return "\(path): \(message)" }
    return "\(path): line \(line), column \(column): \(message)"
  }
}

/// What has become of one policy file.
struct PolicyFileReport: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case absent
    case inForce
    /// An earlier good version, or the default, is in force.
    case faulty(FaultyPolicyFile)
  }

  let path: String
  let role: PolicyRole
  let state: State

  var fault: FaultyPolicyFile? { if case .faulty(let fault) = state { fault } else { nil } }
}
