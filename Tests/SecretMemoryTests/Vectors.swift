import Glibc
import StrictJSON

/// The vector files of `Tests/Vectors`, found from this file's place in the checkout.
enum Vectors {
  struct Unreadable: Error { let name: String }

  /// A whole file.
  static func bytes(_ name: String) throws -> [UInt8] {
    let here = #filePath
    let folder = here.prefix(upTo: here.range(ofLast: "/SecretMemoryTests/"))
    let descriptor = unsafe open("\(folder)/Vectors/\(name)", O_RDONLY)
    guard descriptor >= 0 else { throw Unreadable(name: name) }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw Unreadable(name: name) }
      if count == 0 { return all }
      all += chunk[..<count]
    }
  }

  /// The lines of a file as fields; comments and blank lines are left out.
  static func lines(_ name: String) throws -> [[String]] {
    let lines = String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    guard !lines.isEmpty else { throw Unreadable(name: name) }
    return lines.map { $0.split(separator: " ").map(String.init) }
  }
}

extension String {
  /// Where the last occurrence of `part` starts.
  fileprivate func range(ofLast part: String) -> Index {
    var at = index(endIndex, offsetBy: -part.count)
    while !self[at...].hasPrefix(part) { at = index(before: at) }
    return at
  }
}

/// The bytes of a hexadecimal field; `-` is none.
func hex(_ field: String) -> [UInt8] {
  if field == "-" { return [] }
  let digits = field.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16)! }
  precondition(digits.count.isMultiple(of: 2))
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension JSONNode {
  /// A member of an object.
  subscript(_ key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }
  /// The elements of an array; none for anything else.
  var elements: [JSONNode] {
    guard case .array(let nodes) = value else { return [] }
    return nodes
  }
  /// A string's text.
  var text: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }
  /// A whole number.
  var integer: Int64? {
    guard case .integer(let number) = value else { return nil }
    return number
  }
}
