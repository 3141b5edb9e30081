internal import StrictJSON

/// The file of a form: JSON, with the texts in Markdown or HTML beside it where they are long.
public enum ConsentFormFile {
  /// The largest file, in bytes.
  public static let maximumByteCount = 1 << 20

  /// Reads a form.
  ///
  /// - Parameters:
  ///   - name: the name of the JSON file.
  ///   - files: reads the folder that it lies in.
  ///   - origin: whose folder it is.
  /// - Throws: every fault of the form, in the order of the text: bad JSON, an unknown or doubled key, a value of another kind
  ///   or out of range, a text that is missing, variants that differ, markup that is not in the subset.
  /// - Complexity: O(*n*) in the size of the files.
  public static func parse(
    _ name: String, from files: any ConsentFileReading, origin: ConsentOrigin
  ) throws(ConsentFileFault) -> ConsentForm {
    let bytes: [UInt8]
    do { bytes = try files.contents(of: name) } catch {
      throw ConsentFileFault(file: name, line: 1, column: 1, message: error.description, suggestion: nil, further: [])
    }
    let root: JSONNode
    do { root = try JSONDocument.parse(bytes.span) } catch {
      throw LocatedConsentFault(offset: error.offset, message: error.reason.description).fault(name, bytes)
    }
    var reader = ConsentReader(files: files)
    let form = reader.form(root, origin: origin)
    let faults = reader.faults.sorted { $0.offset < $1.offset }
    guard let first = faults.first else {
      guard let form else { preconditionFailure("a form without a fault could not be read") }
      return form
    }
    let further = faults.dropFirst().map { $0.fault(name, bytes) }
    throw first.fault(name, bytes, further: further)
  }
}

/// A fault by its byte offset in the JSON file, or by its line in a file beside it.
struct LocatedConsentFault {
  let offset: Int
  let message: String
  var suggestion: String?
  var beside: (file: String, line: Int)?

  func fault(_ file: String, _ bytes: [UInt8], further: [ConsentFileFault] = []) -> ConsentFileFault {
    var (line, column) = JSONText.position(of: offset, in: bytes.span)
    if let beside { (line, column) = (beside.line, 1) }
    return ConsentFileFault(
      file: beside?.file ?? file, line: line, column: column, message: message, suggestion: suggestion, further: further)
  }
}
