import PasscodePlatform
import TestSupport
import Testing

@Suite struct SearchTests {
  @Test("SC-15: a search by some of the attributes finds the item, and a value never matches a key")
  func find() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "one", "--attr", "user=ann", "--attr", "host=example.org", "--attr", "port=22", input: "1".utf8)
    try home.expect(0, "put", "two", "--attr", "user=bob", "--attr", "host=example.org", input: "2".utf8)
    #expect(try home.expect(0, "find", "user=ann").outputText == "one\n")
    #expect(try home.expect(0, "find", "port=22", "host=example.org").outputText == "one\n")
    #expect(try home.expect(0, "find", "host=example.org").outputText == "one\ntwo\n")
    for pair in ["ann=user", "user=user", "ann=ann", "host=ann", "User=ann", "user=an", "user=", "example.org=host"] {
      try home.expect(1, "find", pair)
    }
    try home.expect(1, "find", "user=ann", "host=other.org")
  }
}
