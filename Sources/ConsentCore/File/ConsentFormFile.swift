internal import StrictJSON

/// The file of a form: JSON, with the texts in Markdown or HTML beside it where they are long.
public enum ConsentFormFile {
  /// The largest file, in bytes.
  public static let maximumByteCount = 1 << 20
  /// The largest form that needs no other file, in bytes.
  public static let maximumFlattenedByteCount = 8 << 20

  /// Reads a form.
  ///
  /// - Parameters:
  ///   - name: the name of the JSON file.
  ///   - files: reads the folder that it lies in.
  ///   - origin: whose folder it is.
  ///   - markup: reads Markdown and HTML; nil refuses texts with markup.
  /// - Throws: every fault of the form, in the order of the text: bad JSON, an unknown or doubled key, a value of another kind
  ///   or out of range, a text that is missing, variants that differ, markup that is not in the subset, a form whose records
  ///   no store could keep.
  /// - Complexity: O(*n*) in the size of the files.
  public static func parse(
    _ name: String, from files: any ConsentFileReading, origin: ConsentOrigin, markup: (any ConsentMarkupReading)?
  ) throws(ConsentFileFault) -> ConsentForm {
    let bytes: [UInt8]
    do { bytes = try files.contents(of: name) } catch {
      let message = error == .absent ? "there is no such file" : error.description
      throw ConsentFileFault(file: name, line: 1, column: 1, message: message)
    }
    return try parse(bytes.span, name, origin, ConsentReader(files: files, markup: markup))
  }

  /// Reads a form that needs no other file: what ``ConsentForm/flattened`` writes.
  ///
  /// - Parameters:
  ///   - bytes: the form.
  ///   - name: names it in faults.
  ///   - origin: whose folder it comes from.
  /// - Throws: as ``parse(_:from:origin:markup:)``; a text with markup, or in another file, is a fault.
  /// - Complexity: O(*n*)
  public static func parse(
    flattened bytes: Span<UInt8>, name: String, origin: ConsentOrigin
  ) throws(ConsentFileFault) -> ConsentForm {
    if bytes.count > maximumFlattenedByteCount {
      let message = "the form is larger than \(maximumFlattenedByteCount >> 20) MiB"
      throw ConsentFileFault(file: name, line: 1, column: 1, message: message)
    }
    return try parse(bytes, name, origin, ConsentReader(files: nil, markup: nil))
  }

  private static func parse(
    _ bytes: Span<UInt8>, _ name: String, _ origin: ConsentOrigin, _ empty: ConsentReader
  ) throws(ConsentFileFault) -> ConsentForm {
    let root: JSONNode
    do { root = try JSONDocument.parse(bytes, maximumDepth: JSONTokenizer.deepestMaximum) } catch {
      throw LocatedConsentFault(offset: error.offset, message: error.reason.description).fault(name, bytes)
    }
    var reader = empty
    let form = reader.form(root, origin: origin)
    let faults = reader.faults.sorted { $0.offset < $1.offset }
    guard let first = faults.first else {
      guard let form else { preconditionFailure("a form without a fault could not be read") }
      return form
    }
    var further: [ConsentFileFault] = []
    for fault in faults.dropFirst() { further.append(fault.fault(name, bytes)) }
    throw first.fault(name, bytes, further: further)
  }
}

extension ConsentForm {
  /// The room that a paper keeps for each drawn signature, and for all names, dates and answers together.
  private static var drawnByteCount: Int { 384 << 10 }
  private static var writtenByteCount: Int { 128 << 10 }

  /// Why no store could keep the records of this form, in words; nil where one can.
  var sizeFault: String? {
    for variant in variants {
      var largest = max(text(of: variant).text.utf8.count, details(of: variant).count)
      if case .document(let document) = variant.content {
        let drawn = max(1, document.signatures.count(where: \.requiresImage)) * Self.drawnByteCount
        largest = max(largest, paper(of: document, in: variant).json.count + drawn + Self.writtenByteCount)
      }
      if largest > ConsentLog.maximumAttachmentByteCount {
        return "the form is too large in \(variant.locale): its record would take \(largest) bytes with room for its "
          + "signatures; at most \(ConsentLog.maximumAttachmentByteCount) can be kept"
      }
    }
    let count = flattened.count
    if count <= ConsentFormFile.maximumFlattenedByteCount { return nil }
    return "the form is too large: \(count) bytes with its texts, \(ConsentFormFile.maximumFlattenedByteCount) are permitted"
  }
}

/// A fault by its byte offset in the JSON file, or by its line in a file beside it.
struct LocatedConsentFault {
  let offset: Int
  let message: String
  var suggestion: String?
  var beside: (file: String, line: Int)?

  func fault(_ file: String, _ bytes: Span<UInt8>, further: [ConsentFileFault] = []) -> ConsentFileFault {
    var (line, column) = JSONText.position(of: offset, in: bytes)
    if let beside { (line, column) = (beside.line, 1) }
    return ConsentFileFault(
      file: beside?.file ?? file, line: line, column: column, message: message, suggestion: suggestion, further: further)
  }
}
