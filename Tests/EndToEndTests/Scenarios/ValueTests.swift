import PasscodePlatform
import TestSupport
import Testing

@Suite struct ValueTests {
  @Test("SC-19: secrets up to 1 MiB are kept whole, larger ones are refused, and nothing is cut")
  func sizes() throws {
    let home = try Sandbox()
    try home.create()
    var random = SplitMix64.announced()
    for size in [0, 1, 65_535, 65_536, 1 << 20] {
      let secret = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try home.expect(0, "put", "sized", input: secret)
      #expect(try home.expect(0, "get", "sized").output == secret, "\(size) bytes")
      #expect(jsonNumber("size", in: try home.expect(0, "show", "sized", "--json").outputText) == size)
    }
    for size in [(1 << 20) + 1, 16 << 20] {
      let refused = try home.expect(65, "put", "large", "--json", input: [UInt8](repeating: 1, count: size))
      #expect(jsonNumber("limit", in: refused.errorText) == 1 << 20)
    }
    try home.expect(1, "show", "large")
    let largest = [UInt8](repeating: 1, count: 1 << 20)
    try home.expect(0, "put", "largest", "--trim-newline", input: largest + [0x0a])
    #expect(try home.expect(0, "get", "largest").output == largest)
    try home.expect(65, "put", "largest", "--trim-newline", input: largest + [1])
  }

  @Test("SC-20: bytes that are no UTF-8, and NUL, come back as they went in")
  func anyBytes() throws {
    let home = try Sandbox()
    try home.create()
    let all = (0...255).map { UInt8($0) } + [0, 0xff, 0xfe, 0, 0xc0, 0x0a, 0x0d, 0]
    try home.expect(0, "put", "bytes", input: all)
    #expect(try home.expect(0, "get", "bytes").output == all)
  }

  @Test("SC-18: a credential that ends in a newline keeps it, and that is said")
  func newlineOfValue() throws {
    let home = try Sandbox()
    try home.create()
    let kept = try home.expect(0, "put", "n", input: "token\n".utf8)
    #expect(kept.errorText.contains("newline"))
    #expect(try home.expect(0, "get", "n").outputText == "token\n")
    let quiet = try home.expect(0, "put", "n", "-q", input: "token\n".utf8)
    #expect(quiet.error.isEmpty)
    let trimmed = try home.expect(0, "put", "n", "--trim-newline", input: "token\n\n".utf8)
    #expect(!trimmed.errorText.contains("newline"))
    #expect(try home.expect(0, "get", "n").outputText == "token\n")
    try home.expect(0, "put", "n", "--trim-newline", input: "token".utf8)
    #expect(try home.expect(0, "get", "n").outputText == "token")
  }

  @Test("attributes and type stay where none are given, and are replaced where some are")
  func attributes() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", "--attr", "k=v=w", "--attr", "empty=", "--type", "a/b", input: "1".utf8)
    try home.expect(0, "put", "a", input: "2".utf8)
    #expect(try home.expect(0, "get", "a", "--attr", "k").outputText == "v=w")
    #expect(try home.expect(0, "get", "a", "--attr", "empty").output.isEmpty)
    #expect(jsonString("type", in: try home.expect(0, "show", "a", "--json").outputText) == "a/b")
    try home.expect(0, "put", "a", "--attr", "other=1", input: "3".utf8)
    try home.expect(1, "get", "a", "--attr", "k")
    try home.expect(64, "put", "a", "--attr", "x=1", "--attr", "x=2", input: "4".utf8)
  }
}
