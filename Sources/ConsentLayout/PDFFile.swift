/// A PDF as cairo writes it: one table of objects in plain text. Nothing but its places is read.
///
/// Source: ISO 32000-1 §7.5.
struct PDFFile {
  let bytes: [UInt8]
  /// Where each object starts, by its number; 0 for none.
  let offsets: [Int]
  let tableOffset: Int
  let root: Int
  let info: Int?

  init(_ bytes: [UInt8]) throws(PDFFault) {
    self.bytes = bytes
    guard bytes.starts(with: Array("%PDF-1.".utf8)),
      let start = Self.last("startxref", in: bytes), let table = Self.number(after: start, "startxref", in: bytes),
      table < start, bytes[table...].starts(with: Array("xref\n0 ".utf8))
    else { throw .unexpectedForm }
    tableOffset = table
    guard let trailer = Self.last("trailer", in: bytes), trailer > table, trailer < start else { throw .unexpectedForm }
    let entries = bytes[trailer..<start]
    guard let size = Self.number(behind: "/Size ", in: entries), let root = Self.number(behind: "/Root ", in: entries)
    else { throw .unexpectedForm }
    offsets = try Self.offsets(bytes, table, trailer, count: size)
    guard 0..<size ~= root else { throw .unexpectedForm }
    self.root = root
    info = Self.number(behind: "/Info ", in: entries)
  }

  /// Lines of twenty bytes each.
  private static func offsets(
    _ bytes: [UInt8], _ table: Int, _ trailer: Int, count: Int
  ) throws(PDFFault) -> [Int] {
    guard let lineEnd = bytes[(table + 5)...].firstIndex(of: UInt8(ascii: "\n")),
      Self.number(after: table, "xref\n0 ", in: bytes) == count, lineEnd + 1 + 20 * count <= trailer
    else { throw .unexpectedForm }
    var offsets: [Int] = []
    for index in 0..<count {
      let line = bytes[(lineEnd + 1 + 20 * index)...].prefix(20)
      guard let offset = Int(String(decoding: line.prefix(10), as: UTF8.self)), offset < table else { throw .unexpectedForm }
      offsets.append(line[line.startIndex + 17] == UInt8(ascii: "n") ? offset : 0)
    }
    return offsets
  }

  /// The bytes of an object that is a dictionary and no stream, from `<<` to `>>`.
  func dictionary(of number: Int) throws(PDFFault) -> ArraySlice<UInt8> {
    let head = Array("\(number) 0 obj\n<<".utf8)
    let start = offsets[number]
    guard start > 0, bytes[start...].starts(with: head), let end = Self.first("endobj", in: bytes[start...]) else {
      throw .unexpectedForm
    }
    let body = bytes[(start + head.count - 2)..<end]
    guard let last = body.lastIndex(of: UInt8(ascii: ">")), body[last - 1] == UInt8(ascii: ">") else {
      throw .unexpectedForm
    }
    return body[...last]
  }

  /// The numbers of the parts of the structure that have a tag, in the order of their numbers, which is the document's.
  func structureElements(of tag: String) throws(PDFFault) -> [Int] {
    var found: [Int] = []
    for number in offsets.indices where offsets[number] > 0 {
      let start = bytes[offsets[number]...].prefix(160)
      guard Self.first("/StructElem", in: start) != nil else { continue }
      if Self.first("/S /\(tag)\n", in: try dictionary(of: number)) != nil { found.append(number) }
    }
    return found
  }

  // MARK: - Bytes

  private static func first(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let text = Array(text.utf8)
    var at = bytes.startIndex
    while let found = bytes[at...].firstIndex(of: text[0]) {
      if bytes[found...].starts(with: text) { return found }
      at = found + 1
    }
    return nil
  }

  private static func last(_ text: String, in bytes: [UInt8]) -> Int? {
    let text = Array(text.utf8)
    var at = bytes.count - text.count
    while at >= 0 {
      if bytes[at...].starts(with: text) { return at }
      at -= 1
    }
    return nil
  }

  private static func number(behind text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    guard let found = first(text, in: bytes) else { return nil }
    return digits(bytes[(found + text.utf8.count)...])
  }

  private static func number(after place: Int, _ text: String, in bytes: [UInt8]) -> Int? {
    digits(bytes[(place + text.utf8.count)...].drop { $0 == UInt8(ascii: "\n") })
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return digits.count <= 10 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }
}
