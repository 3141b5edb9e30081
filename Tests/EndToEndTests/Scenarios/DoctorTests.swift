import Glibc
import PasscodePlatform
import StrictJSON
import TestSupport
import Testing

@Suite struct DoctorTests {
  private func findings(_ text: String) throws -> [String: (state: String, remedy: String?)] {
    guard case .array(let nodes)? = try jsonMembers(text)["findings"] else { throw TestFailure("no findings: \(text)") }
    var found: [String: (state: String, remedy: String?)] = [:]
    for node in nodes {
      guard case .object(let members) = node.value else { throw TestFailure("no object: \(text)") }
      var texts: [String: String] = [:]
      for member in members { if case .string(let text) = member.node.value { texts[member.key] = text } }
      #expect(texts["text"]?.isEmpty == false)
      found[texts["id"] ?? ""] = (texts["state"] ?? "", texts["remedy"])
    }
    return found
  }

  @Test("The doctor looks at everything once, and tells a person and a program the same")
  func healthy() throws {
    let home = try Sandbox()
    try home.create()
    let json = try home.run(["doctor", "--json"])
    let found = try findings(json.outputText)
    let expected: Set = [
      "daemon", "store", "policy", "memory", "swap", "isolation", "sessions", "keyring", "pinentry", "manager", "permissions",
      "units", "consent",
    ]
    #expect(Set(found.keys) == expected)
    for id in ["daemon", "store", "policy", "memory", "permissions"] { #expect(found[id]?.state == "good", "\(id)") }
    #expect(found["manager"]?.state == "note")
    let isHealthy = !found.values.contains { $0.state == "bad" }
    #expect(json.status == .exited(isHealthy ? 0 : 1), "\(json.outputText)")
    let text = try home.run(["doctor"])
    for id in expected { #expect(text.outputText.contains(" \(id) "), "\(id): \(text.outputText)") }
    #expect(!text.outputText.contains(Sandbox.passcode))
  }

  @Test("What wants mending makes exit 1, with what to do: a file that others can read, a faulty policy")
  func faults() throws {
    let home = try Sandbox()
    try home.create()
    #expect(unsafe chmod(home.storePath, 0o644) == 0)
    try home.directory.write("config/passcoded/policy.json", #"{"minLenght": 9}"#.utf8)
    let result = try home.expect(1, "doctor", "--json")
    let found = try findings(result.outputText)
    #expect(found["permissions"]?.state == "bad" && found["permissions"]?.remedy == "chmod 600 \(home.storePath)")
    #expect(found["policy"]?.remedy == "passcode policy validate \(home.directory.file("config/passcoded/policy.json"))")
    #expect(jsonString("error", in: result.errorText) == "org.passcoded.Client.Unhealthy")
  }

  @Test("Without a daemon the doctor says so, and looks at the rest")
  func noDaemon() throws {
    let home = try Sandbox()
    let result = try home.expect(1, "--no-autostart", "doctor", "--json")
    let found = try findings(result.outputText)
    #expect(Set(found.keys) == ["daemon", "permissions", "units"])
    #expect(found["daemon"]?.state == "bad")
  }

  @Test("Where the policy does not allow quick unlock, the doctor leaves the keyring alone")
  func keyringLeftAlone() throws {
    let home = try Sandbox(policy: #""allowsQuickUnlock": false"#)
    try home.create()
    #expect(try findings(home.run(["doctor", "--json"]).outputText)["keyring"]?.state == "good")
  }

  @Test("The doctor tells of the pinentry: one that will be run, one that others may write to, none")
  func pinentry() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("pinentry", "#!/bin/sh\n".utf8, mode: 0o700)
    let home = try Sandbox(environment: ["PASSCODED_PINENTRY": path])
    func finding(_ exitCode: Int32? = nil) throws -> (state: String, remedy: String?)? {
      let result = try home.run(["doctor", "--json"])
      if let exitCode { result.expectExit(exitCode, "doctor") }
      return try findings(result.outputText)["pinentry"]
    }
    #expect(try finding()?.state == "good")
    #expect(unsafe chmod(path, 0o722) == 0)
    let unsafeOne = try finding(1)
    #expect(unsafeOne?.state == "bad" && unsafeOne?.remedy?.contains("PASSCODED_PINENTRY") == true)
    #expect(unsafe unlink(path) == 0)
    let missing = try finding()
    #expect(missing?.state == "note" && missing?.remedy?.contains("install one, such as pinentry") == true)
  }

  @Test("The doctor tells whether a user manager has the units: not there, installed, enabled")
  func units() throws {
    let home = try Sandbox()
    // Only the existence of the manager's socket counts; no manager has to run.
    try home.directory.makeDirectory("run/systemd")
    try home.directory.write("run/systemd/private", [])
    func state() throws -> (state: String, remedy: String?)? {
      try findings(home.run(["doctor", "--json"]).outputText)["units"]
    }
    #expect(try state()?.state == "note")
    for folder in ["data/systemd", "data/systemd/user", "config/systemd", "config/systemd/user"] {
      try home.directory.makeDirectory(folder)
    }
    try home.directory.write("data/systemd/user/passcoded.socket", [])
    #expect(try state()?.remedy?.contains("systemctl --user enable --now passcoded.socket") == true)
    try home.directory.makeDirectory("config/systemd/user/sockets.target.wants")
    try home.directory.write("config/systemd/user/sockets.target.wants/passcoded.socket", [])
    #expect(try state()?.state == "good")
  }

  @Test(
    "A system bus that can't be reached is not taken for one without logind",
    arguments: [
      ("unix:path=/nonexistent", "there is no system bus"), ("tcp:host=127.0.0.1,port=1", "the system bus does not answer"),
    ])
  func unreachableBus(address: String, words: String) throws {
    let home = try Sandbox()
    let daemon = try home.startDaemon(["DBUS_SYSTEM_BUS_ADDRESS": address])
    var text = ""
    repeat { text = try home.run(["doctor"]).outputText } while text.contains("not heard from yet")
    #expect(text.contains(words))
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish()
  }

  @Test("The report names the policy by its content, and when the passcode expires; no credential and no path")
  func report() throws {
    let home = try Sandbox(policy: #""expirationDays": 30"#)
    try home.create()
    try home.expect(0, "put", "work/canary", input: "x".utf8)
    let first = try home.expect(0, "report", "--json").outputText
    #expect(jsonString("state", in: first) == "unlocked")
    #expect(jsonString("policyDigest", in: first)?.utf8.count == 64)
    let days = try #require(jsonNumber("passcodeExpiresAt", in: first)) - Int(BootClock.wallSeconds())
    #expect((30 * 86_400 - 600...30 * 86_400).contains(days))
    #expect(!first.contains("canary") && !first.contains(home.directory.path))
    try home.expect(0, "lock")
    let locked = try home.expect(0, "report", "--json").outputText
    #expect(jsonIsNull("passcodeExpiresAt", in: locked))
    #expect(jsonString("policyDigest", in: locked) == jsonString("policyDigest", in: first))
    try home.write(policy: #""expirationDays": 31"#)
    let other = try home.expect(0, "report", "--json").outputText
    #expect(jsonString("policyDigest", in: other) != jsonString("policyDigest", in: first))
  }
}
