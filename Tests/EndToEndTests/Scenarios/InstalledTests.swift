import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

@Suite struct InstalledTests {
  @Test(
    "GetInfo leads to the documents that were installed with the daemon, and nowhere where there are none",
    .enabled(
      if: ProcessEnvironment.current()["PASSCODE_FILTERED"] == nil,
      "under the filter the program that would be copied is a script that starts another one"))
  func documents() throws {
    let home = try Sandbox()
    for prefix in ["with documents é", "without"] {
      let bin = try home.directory.makeDirectory(prefix) + "/bin"
      #expect(unsafe mkdir(bin, 0o700) == 0)
      let program = try home.directory.writeProgram(prefix + "/bin/passcoded", "")
      try Command("/bin/cp", [try binary(named: "passcoded"), program]).run().expectExit(0, "cp")
      if prefix != "without" {
        for folder in ["share", "share/doc", "share/doc/passcoded"] { try home.directory.makeDirectory(prefix + "/" + folder) }
      }
      let socket = home.directory.file("run/\(prefix.count)/socket")
      let daemon = try Command(program, ["--socket", socket], environment: home.environment).start()
      let url = try information(at: socket)
      let folder = home.directory.path + "/with%20documents%20%C3%A9/share/doc/passcoded"
      #expect(url == (prefix == "without" ? "" : "file://" + folder))
      daemon.send(signal: SIGTERM)
      try daemon.finish().expectExit(0, "passcoded")
    }
  }

  private func information(at socket: String) throws -> String? {
    let path = try SocketPath(socket)
    while unsafe access(socket, F_OK) != 0 { usleep(5000) }
    let connection = try UnixConnection.connect(to: path)
    try connection.sendAll(Array((#"{"method":"org.varlink.service.GetInfo"}"# + "\0").utf8).span)
    var reply = try SecretBytes(capacity: 4096)
    while reply.isEmpty || reply.bytes[reply.count - 1] != 0 {
      guard try connection.receive(into: &reply) > 0 else { return nil }
    }
    let text = String(decoding: reply.bytes.indices.dropLast().map { reply.bytes[$0] }, as: UTF8.self)
    let parameters = text.dropFirst(#"{"parameters":"#.count).dropLast()
    return jsonString("url", in: String(parameters))
  }
}
