import TestSupport
import Testing

@Suite struct DescriptorTests {
  /// Runs a line of the shell, in which `$passcode` is the command.
  private func shell(_ home: Sandbox, _ line: String) throws -> CommandResult {
    var environment = home.environment
    environment["passcode"] = try binary(named: "passcode")
    return try Command("/bin/sh", ["-c", line], environment: environment).run()
  }

  @Test("a closed standard input is no empty secret, and a closed standard output no success")
  func closed() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "kept".utf8)
    try shell(home, #""$passcode" put a <&-"#).expectExit(66, "put from a closed input")
    try shell(home, #""$passcode" get a >&-"#).expectExit(74, "get to a closed output")
    try shell(home, #""$passcode" get a 2>&-"#).expectExit(0, "get with a closed error output")
    #expect(try home.expect(0, "get", "a").outputText == "kept")
  }

  @Test("a descriptor that is not open is named, and nothing waits for it")
  func notOpen() throws {
    let home = try Sandbox()
    for number in [3, 4, 5, 9, 300] {
      let result = try home.expect(66, "create", "--passcode-fd", "\(number)")
      #expect(result.errorText.contains("descriptor \(number) is not open"))
    }
    try home.create()
    try home.expect(66, "change", "--passcode-file", home.passcodeFile, "--new-passcode-fd", "3")
    try home.expect(66, "recover", "--recovery-key-fd", "3", "--new-passcode-file", home.newFile)
  }

  @Test("a recovery key that can't be told says so, and that no earlier one counts")
  func untold() throws {
    let home = try Sandbox()
    try home.create()
    let file = home.passcodeFile
    let full = try shell(home, #""$passcode" recovery create --passcode-file "\#(file)" >/dev/full"#)
    full.expectExit(74, "recovery create to a full output")
    #expect(full.errorText.contains("recovery create again"))
  }

  @Test("an argument that is no UTF-8 is refused, and never becomes another name")
  func foreignBytes() throws {
    let home = try Sandbox()
    try home.create()
    for name in [#"\377"#, #"a\303"#, #"\355\240\200"#, #"\300\257"#] {
      let result = try shell(home, #"printf 1 | "$passcode" put "$(printf '\#(name)')""#)
      result.expectExit(65, "put \(name)")
      #expect(result.errorText.contains("argument 2 is not UTF-8"))
    }
    #expect(try home.expect(0, "list").output.isEmpty)
    try home.expect(0, "put", "é\u{FFFD}", input: "1".utf8)
  }

  @Test("an empty path is refused, and is not the folder that one stands in")
  func emptyPath() throws {
    let home = try Sandbox()
    for option in ["--store", "--socket", "--passcode-file"] {
      try home.expect(64, "create", option, "")
      try home.expect(64, "create", option + "=")
    }
  }
}
