import StrictJSON
import Testing

@Suite("Nearest name")
struct NearestNameTests {
  static let keys = [
    "minLength", "maxLength", "hasDigit", "hasUpper", "retryLimit", "lockOut", "lockOnSuspend", "lockTimeoutSeconds",
  ]
  static let verbs = ["create", "verify", "change", "get", "put", "list", "lock", "unlock", "rename", "delete"]

  @Test(
    "a slip gets the name that was meant",
    arguments: [
      ("minLenght", "minLength"), ("minlength", "minLength"), ("MINLENGTH", "minLength"), ("maxLengt", "maxLength"),
      ("hasDigits", "hasDigit"),
      ("hasdigit", "hasDigit"), ("retrylimits", "retryLimit"), ("lockout", "lockOut"),
      ("lockTimeout_seconds", "lockTimeoutSeconds"),
      ("lockTimeout", nil),
    ] as [(String, String?)])
  func keySlips(_ written: String, _ meant: String?) {
    #expect(nearestName(to: written, among: Self.keys) == meant)
  }

  @Test(
    "a verb too",
    arguments: [
      ("craete", "create"), ("verfy", "verify"), ("gte", "get"), ("unlok", "unlock"), ("ls", "list"), ("lokc", "lock"),
      ("pt", "put"),
      ("del", nil), ("frobnicate", nil), ("x", nil), ("", nil), ("zz", nil),
    ] as [(String, String?)])
  func verbSlips(_ written: String, _ meant: String?) {
    #expect(nearestName(to: written, among: Self.verbs) == meant)
  }

  @Test("a known name is its own nearest", arguments: keys + verbs)
  func itself(_ name: String) {
    #expect(nearestName(to: name, among: Self.keys + Self.verbs) == name)
  }

  @Test("of two equally near names the first is taken")
  func ties() {
    #expect(nearestName(to: "cat", among: ["bat", "hat"]) == "bat")
    #expect(nearestName(to: "cat", among: ["hat", "bat"]) == "hat")
  }

  @Test("nothing is near an overlong name, nor among no names")
  func limits() {
    let long = String(repeating: "a", count: 65)
    #expect(nearestName(to: long, among: [long]) == nil)
    #expect(nearestName(to: "a", among: []) == nil)
  }
}
