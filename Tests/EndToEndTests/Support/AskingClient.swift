import PasscodePlatform
import TestSupport

/// A foreign client at a terminal of its own that has the daemon ask: a few lines of another language, as an app would have.
final class AskingClient {
  static let python = ProcessEnvironment.current()["PASSCODE_PYTHON"] ?? "/usr/bin/python3"
  let terminal: PseudoTerminal

  /// Calls `Unlock` without a passcode, a flow's steps, or `Get`.
  ///
  /// - Parameters:
  ///   - naming: the terminal that it says is its own; nil for that which is.
  ///   - variables: what it tells of its environment.
  ///   - flow: the flow that is started, and how often it is to ask.
  ///   - reading: the credential that is read.
  init(
    _ home: Sandbox, naming path: String? = nil, variables: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8"],
    flow: (name: String, steps: Int)? = nil, reading: String? = nil
  ) throws {
    terminal = try PseudoTerminal()
    let pairs = variables.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
    let call = reading.map { #"call("Get", {"name": "\#($0)"} | place, "Credentials")"# } ?? #"call("Unlock", place)"#
    let calls =
      flow.map { flow in
        """
        call("StartFlow", {"flow": "\(flow.name)", "quickUnlock": False})
        for i in range(\(flow.steps)): reply = call("EnterPasscode", place)
        """
      } ?? "reply = " + call
    let script = """
      import json, os, socket
      s = socket.socket(socket.AF_UNIX)
      s.connect("\(home.socketPath)")
      place = {"terminal": "\(path ?? "")" or os.ttyname(0), "environment": {\(pairs)}}
      def call(method, parameters, interface="Passcode"):
        call = {"method": "org.passcoded." + interface + "." + method, "parameters": parameters}
        s.sendall(json.dumps(call).encode() + b"\\0")
        reply = b""
        while not reply.endswith(b"\\0"): reply += s.recv(4096)
        return reply[:-1].decode()
      \(calls)
      print("reply", reply, "end")
      """
    try terminal.start(Command(Self.python, ["-c", script]))
  }

  /// Types when the field is there: the terminal's own echo is off then.
  func type(_ text: String, after shown: String) throws {
    try terminal.expect(shown)
    terminal.waitUntil(echoing: false)
    try terminal.send(text)
  }

  /// The daemon's reply, as JSON, and the terminal as it was before.
  func reply() throws -> String {
    try terminal.expect("reply ")
    try terminal.expect(" end")
    let text = terminal.transcriptText
    guard try terminal.waitForExit() == .exited(0), terminal.isEchoing, terminal.isCollectingLines else {
      throw TestFailure("a terminal that was not put back: \(text)")
    }
    return text
  }
}
