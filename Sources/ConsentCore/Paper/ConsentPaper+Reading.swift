internal import StrictJSON

/// Why a paper in JSON can't be read: its place and what is wrong there.
public struct ConsentPaperFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int
  /// What is wrong, lower case and without a full stop.
  public let message: String

  /// `line 3, column 5: expected a string, found null`
  public var description: String { "line \(line), column \(column): \(message)" }

  init(_ fault: BlockFault, in bytes: Span<UInt8>) {
    (line, column) = JSONText.position(of: fault.offset, in: bytes)
    message = fault.message + (fault.suggestion.map { "; did you mean \(quoted($0))?" } ?? "")
  }
}

extension ConsentPaper {
  /// The most bytes of a paper in JSON.
  public static let maximumByteCount = 16 << 20

  /// Reads what ``json`` writes.
  ///
  /// - Parameter bytes: at most ``maximumByteCount`` bytes.
  /// - Throws: the first fault: bad JSON, an unknown or missing key, a value of another kind or out of range, a control
  ///   character, `direction` that is not the language's.
  /// - Complexity: O(*n*).
  public static func parse(_ bytes: Span<UInt8>) throws(ConsentPaperFault) -> ConsentPaper {
    guard bytes.count <= maximumByteCount else {
      let fault = BlockFault(offset: 0, message: "the paper is larger than \(maximumByteCount >> 20) MiB")
      throw ConsentPaperFault(fault, in: bytes)
    }
    let root: JSONNode
    do { root = try JSONDocument.parse(bytes, maximumDepth: 64) } catch {
      throw ConsentPaperFault(BlockFault(offset: error.offset, message: error.reason.description), in: bytes)
    }
    do { return try ConsentPaper(root) } catch { throw ConsentPaperFault(error, in: bytes) }
  }

  private init(_ node: JSONNode) throws(BlockFault) {
    let needed = ["title", "language", "direction", "pageNumber", "blocks"]
    let members = try FieldReading.members(node, needed + ["author", "subject", "date"], needed: needed, of: "a paper")
    // Every needed member is there.
    let (language, direction) = (members["language"]!, members["direction"]!)
    guard let locale = LanguageTag(try FieldReading.string(language)) else {
      throw FieldReading.fault(language, "expected a language such as \"de\" or \"pt-BR\"")
    }
    let expected = locale.isRightToLeft ? "rtl" : "ltr"
    guard try FieldReading.string(direction) == expected else {
      throw FieldReading.fault(direction, "expected \(quoted(expected)), the direction of \(locale)")
    }
    self.init(
      title: try FieldReading.string(members["title"]!, isLine: false), locale: locale,
      text: try RichText(json: members["blocks"]!))
    pageNumber = try FieldReading.string(members["pageNumber"]!)
    if let author = members["author"] { self.author = try FieldReading.string(author) }
    if let subject = members["subject"] { self.subject = try FieldReading.string(subject) }
    if let date = members["date"] {
      self.date = ZonedInstant(seconds: Int64(try FieldReading.integer(date, 0...Int(ZonedInstant.latest))))
    }
  }
}
