import Glibc
import PasscodeWire
import Testing

@Suite struct DocumentTests {
  /// The lines of `docs/protocol.md`.
  private func lines() throws -> [String] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = unsafe try #require(unsafe fopen("/\(root)/docs/protocol.md", "r"))
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("the table of errors in docs/protocol.md names every error with its exit code, in order")
  func errors() throws {
    let rows = try lines().filter { $0.hasPrefix("| `org.") }.map { $0.split(separator: "|").prefix(2).joined() }
    #expect(rows == WireErrorName.allCases.map { " `\($0.fullName)`  \($0.exitCode) " })
  }

  @Test("the limits in docs/protocol.md are those of the code")
  func limits() throws {
    let text = try lines().joined(separator: "\n")
    for row in [
      "| a message, its NUL included | \(WireLimits.maximumMessageByteCount >> 20) MiB |",
      "| nesting of objects and arrays | \(WireLimits.maximumDepth) |",
      "| keys of the objects that are open at one place | \(WireLimits.maximumKeyCount) |",
      "| a method's full name | \(WireLimits.maximumMethodNameByteCount) bytes |",
      "| a secret | \(WireLimits.maximumSecretByteCount >> 20) MiB |",
    ] { #expect(text.contains(row)) }
    #expect(text.contains("at most 1,000 credentials") && WireLimits.maximumUnpagedCount == 1000)
  }
}
