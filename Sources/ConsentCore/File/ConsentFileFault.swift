internal import StrictJSON

/// What is wrong with a form's files, and where: the first fault, with those that follow.
public struct ConsentFileFault: Error, Hashable, Sendable {
  /// The file's name, without a folder.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int
  /// What is wrong, lower case and without a full stop.
  public let message: String
  /// The known name that was probably meant.
  public let suggestion: String?
  /// The further faults of the same form, each with none of its own.
  public let further: [ConsentFileFault]

  /// A fault.
  public init(
    file: String, line: Int, column: Int, message: String, suggestion: String? = nil, further: [ConsentFileFault] = []
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.suggestion = suggestion
    self.further = further
  }
}

extension ConsentFileFault: CustomStringConvertible {
  /// The fault alone: `terms.json: line 3, column 5: unknown key "titel" in a page; did you mean "title"?`
  public var description: String {
    let question = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    return "\(file): line \(line), column \(column): \(message)\(question)"
  }
}

/// Reads the files of one folder of forms.
public protocol ConsentFileReading: Sendable {
  /// The whole content of a file of at most ``ConsentFormFile/maximumByteCount`` bytes.
  ///
  /// - Parameter name: a name of letters, digits, `.`, `-` and `_`, without a leading full stop: never a path.
  /// - Throws: why there is none.
  func contents(of name: String) throws(ConsentFileObstacle) -> [UInt8]
}

/// Why a file's content is not to be had.
public enum ConsentFileObstacle: Error, Equatable, Sendable {
  /// There is no such file.
  case absent
  /// It is larger than a form's file may be.
  case tooLarge
  /// It can't be read, or may not be trusted; in words, lower case and without a full stop.
  case refused(String)
}

extension ConsentFileObstacle: CustomStringConvertible {
  /// The obstacle in plain words.
  public var description: String {
    switch self {
    case .absent: "there is no such file beside it"
    case .tooLarge: "the file is larger than \(ConsentFormFile.maximumByteCount >> 20) MiB"
    case .refused(let why): why
    }
  }
}
