import PasscodePlatform
import TestSupport

@testable import PasscodeValidators

/// Forty digits of a hash whose first 64 bits are given.
func hashText(_ high: UInt64, _ rest: UInt64 = 0) -> String {
  func digits(_ number: UInt64, _ count: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: count - text.count) + text
  }
  return digits(high, 16) + digits(rest, 16) + "00000000"
}

/// The forty digits of a password's SHA-1.
func hashText(of password: String) throws -> String {
  let state = try SHA1.state(after: password.utf8Span.span)
  return [state.h0, state.h1, state.h2, state.h3, state.h4]
    .map { String(String(UInt64($0) | 1 << 32, radix: 16, uppercase: true).dropFirst()) }.joined()
}

/// Writes a list of these passwords and imports it.
func importedList(of passwords: [String], in directory: TemporaryDirectory) throws -> String {
  let lines = try passwords.map { try hashText(of: $0) + ":7\n" }.sorted().joined()
  let source = try directory.write("list.txt", lines.utf8)
  _ = try BreachListImporter(from: source).run(to: directory.file("index"))
  return directory.file("index")
}

/// The index in a file, past the ones that are kept open.
func freshIndex(_ path: String) throws -> BreachListIndex {
  let file = try Files.open(path, .read)
  let size = Int(try file.status().size)
  return try BreachListIndex(file, byteCount: size)
}
