internal import SecretMemory

/// What cairo can't say of a PDF, added behind its end: the language, that its title is what a window shows, metadata in XML, and
/// words in the place of pictures. Not a byte of what was there is changed.
///
/// Source: ISO 32000-1 §7.5.6 (incremental updates), §14.9.2 (language), §12.2 (viewer preferences), §14.3.2 (metadata), §14.9.3
/// (alternate descriptions).
public struct PDFUpdate: Sendable {
  /// The language, as RFC 5646 has it.
  public var language: String
  /// Facts for the metadata in XML.
  public var metadata: XMPMetadata
  /// Words in the place of pictures, in the order of the document.
  public var figures: [String]

  /// An update.
  public init(language: String, metadata: XMPMetadata, figures: [String] = []) {
    (self.language, self.metadata, self.figures) = (language, metadata, figures)
  }

  /// The PDF with the update.
  ///
  /// - Throws: `unexpectedForm` for a PDF whose table of objects is not plain text, as cairo 1.16 writes it.
  /// - Complexity: O(*n*).
  public func applied(to pdf: [UInt8]) throws(PDFFault) -> [UInt8] {
    let file = try PDFFile(pdf)
    var objects: [(number: Int, body: [UInt8])] = []
    let metadataNumber = file.offsets.count
    let root = try file.dictionary(of: file.root)
    let more = " /Lang (\(language)) /ViewerPreferences << /DisplayDocTitle true >> /Metadata \(metadataNumber) 0 R "
    objects.append((file.root, Self.adding(more, to: root)))
    if !figures.isEmpty {
      for (number, words) in zip(try file.structureElements(of: "Figure"), figures) where !words.isEmpty {
        objects.append((number, Self.adding(" /Alt \(Self.hexadecimal(words)) ", to: try file.dictionary(of: number))))
      }
    }
    let xml = Array(metadata.packet.utf8)
    let head = "<< /Type /Metadata /Subtype /XML /Length \(xml.count) >>\nstream\n"
    objects.append((metadataNumber, Array(head.utf8) + xml + Array("\nendstream".utf8)))
    return Self.append(objects.sorted { $0.number < $1.number }, to: file)
  }

  /// A dictionary's bytes, from `<<` to `>>`, with further entries.
  private static func adding(_ entries: String, to dictionary: ArraySlice<UInt8>) -> [UInt8] {
    Array(dictionary.dropLast(2)) + Array(entries.utf8) + Array(">>".utf8)
  }

  private static func append(_ objects: [(number: Int, body: [UInt8])], to file: PDFFile) -> [UInt8] {
    var result = file.bytes
    if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
    var table = "xref\n"
    for (number, body) in objects {
      let offset = String(result.count)
      table += "\(number) 1\n" + String(repeating: "0", count: 10 - offset.utf8.count) + offset + " 00000 n \n"
      result += Array("\(number) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8)
    }
    let start = result.count
    let digest = BLAKE2b.unkeyed(file.bytes.span).bytes.prefix(16)
    let id = "<" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + ">"
    table += "trailer\n<< /Size \(file.offsets.count + 1) /Root \(file.root) 0 R"
    if let info = file.info { table += " /Info \(info) 0 R" }
    table += " /Prev \(file.tableOffset) /ID [\(id) \(id)] >>\nstartxref\n\(start)\n%%EOF\n"
    return result + Array(table.utf8)
  }

  /// A text as UTF-16 in hexadecimal.
  private static func hexadecimal(_ text: String) -> String {
    let digits = text.utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: true)
      return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
    return "<FEFF" + digits.joined() + ">"
  }
}

/// Why a PDF can't be added to.
public enum PDFFault: Error, Equatable, Sendable {
  /// It is not as cairo writes it.
  case unexpectedForm
}
