import PasscodePlatform
import TestSupport
import Testing

@Suite struct ResetTests {
  @Test("SC-62: a forgotten passcode has a way out that lets nobody in, and no slip takes a store away")
  func wayOut() throws {
    let home = try Sandbox()
    try home.expect(75, "reset", "--confirm", "anything")
    try home.create()
    try home.expect(0, "put", "a", input: "kept".utf8)
    let id = try #require(jsonString("storeId", in: try home.expect(0, "status", "--json").outputText))
    let asked = try home.expect(64, "reset")
    #expect(asked.errorText.contains(id), "it says which id to give")
    try home.expect(65, "reset", "--confirm", "yes")
    try home.expect(64, "reset", "--list", "--erase")
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "unlocked")

    try home.expect(0, "reset", "--confirm", id)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
    try home.expect(75, "get", "a")
    let listed = try home.expect(0, "reset", "--list").outputText
    #expect(listed.contains(id))
    let aside = try #require(listed.split(separator: " ").first.map(String.init))

    try home.expect(0, "create", "--passcode-file", home.newFile)
    try home.expect(1, "get", "a")
    try home.expect(73, "reset", "--undo", aside)
    let second = try #require(jsonString("storeId", in: try home.expect(0, "status", "--json").outputText))
    #expect(second != id)
    try home.expect(0, "reset", "--confirm", second, "--erase")
    try home.expect(1, "reset", "--undo", "none-such")
    try home.expect(0, "reset", "--undo", aside)
    try home.expect(75, "--no-input", "get", "a")
    try home.expect(77, "unlock", "--passcode-file", home.newFile)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "kept")
    #expect(try home.expect(0, "reset", "--list").output.isEmpty)
  }
}
