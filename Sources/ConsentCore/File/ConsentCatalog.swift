internal import StrictJSON

/// What a folder of forms holds: the forms that could be read, and what is wrong with the others.
///
/// As JSON it is how the process that reads folders hands them to one that must not:
/// `{"forms":[{"file":…,"form":…}],"faults":[{"file":…,"line":…,"column":…,"message":…,"suggestion":…}]}`, keys in this order, the
/// suggestion only where there is one, each form as ``ConsentForm/flattened``.
public struct ConsentCatalog: Hashable, Sendable {
  /// The most bytes of it as JSON.
  public static let maximumByteCount = 32 << 20
  /// The most faults that are told.
  public static let maximumFaultCount = 2000

  /// One form, and the file that it came from.
  public struct Entry: Hashable, Sendable {
    /// The file's name, without a folder.
    public let file: String
    /// The form.
    public let form: ConsentForm
  }

  /// Whose folder it is.
  public let origin: ConsentOrigin
  /// The forms, in the order of their files' names, no id twice.
  public let entries: [Entry]
  /// What is wrong, in the same order, each with nothing further of its own.
  public let faults: [ConsentFileFault]

  /// The forms alone.
  public var forms: [ConsentForm] { entries.map(\.form) }

  /// Reads what ``ConsentCatalogWriter`` wrote, and nothing else.
  ///
  /// - Parameter origin: whose folder it is: the reader knows, the text does not say.
  /// - Throws: `tooLarge`; `malformed` with the byte; `form` where a form can't be read.
  /// - Complexity: O(*n*); one form's tree at a time.
  public static func parse(
    _ bytes: Span<UInt8>, origin: ConsentOrigin
  ) throws(ConsentCatalogFault) -> ConsentCatalog {
    if bytes.count > maximumByteCount { throw .tooLarge }
    var reader = try CatalogReader(bytes, origin)
    return try reader.catalog()
  }

  fileprivate init(origin: ConsentOrigin, entries: [Entry], faults: [ConsentFileFault]) {
    self.origin = origin
    self.entries = entries
    self.faults = faults
  }
}

/// Why a text is no catalog.
public enum ConsentCatalogFault: Error, Equatable, Sendable {
  /// It is longer than ``ConsentCatalog/maximumByteCount``.
  case tooLarge
  /// Something else than a catalog has there stands at this byte.
  case malformed(offset: Int)
  /// A form in it can't be read.
  case form(ConsentFileFault)
}

/// Writes a catalog, form by form, so that none has to be kept.
public struct ConsentCatalogWriter: Sendable {
  private static let faultsByteCount = 2 << 20
  private var forms: [UInt8] = []
  private var files: [ConsentFormID: String] = [:]
  private var faults: [ConsentFileFault] = []
  private var faultsByteCount = 0

  /// A catalog of nothing.
  public init() {}

  /// Adds a form. One more with the id of another, or one that has no room, becomes a fault.
  public mutating func add(_ form: ConsentForm, file: String) {
    if let other = files[form.id] {
      return add(fault(file, "the form \(quoted(form.id.description)) stands in \(quoted(other)) already"))
    }
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.write("file", file)
    json.key("form")
    json.value { $0.append(contentsOf: form.flattened.span) }
    json.endObject()
    let bytes = json.finish().bytes
    let isFull = files.count == ConsentFormSet.maximumCount
    guard !isFull, forms.count + bytes.count < ConsentCatalog.maximumByteCount - 2 * Self.faultsByteCount else {
      let limit = "\(ConsentFormSet.maximumCount) forms, or \(ConsentCatalog.maximumByteCount >> 20) MiB of them"
      return add(fault(file, "the folder holds more than \(limit)"))
    }
    files[form.id] = file
    forms += (forms.isEmpty ? [] : [UInt8(ascii: ",")]) + bytes
  }

  /// Adds a fault with those that follow it.
  public mutating func add(_ fault: ConsentFileFault) {
    for one in [fault] + fault.further where faults.count < ConsentCatalog.maximumFaultCount {
      let alone = ConsentFileFault(
        file: one.file, line: one.line, column: one.column, message: one.message, suggestion: one.suggestion)
      // Six bytes for one at most, and the keys.
      let count = 6 * (one.file.utf8.count + one.message.utf8.count + (one.suggestion ?? "").utf8.count) + 128
      if faultsByteCount + count > Self.faultsByteCount { return }
      faultsByteCount += count
      faults.append(alone)
    }
  }

  /// The catalog as JSON.
  public var json: [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.key("forms")
    json.value { sink in
      sink.append(UInt8(ascii: "["))
      sink.append(contentsOf: forms.span)
      sink.append(UInt8(ascii: "]"))
    }
    json.key("faults")
    json.beginArray()
    for fault in faults {
      json.beginObject()
      json.write("file", fault.file)
      json.write("line", fault.line)
      json.write("column", fault.column)
      json.write("message", fault.message)
      if let suggestion = fault.suggestion { json.write("suggestion", suggestion) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.finish().bytes
  }

  private func fault(_ file: String, _ message: String) -> ConsentFileFault {
    ConsentFileFault(file: file, line: 1, column: 1, message: message)
  }
}

/// Reads a catalog token by token: the order of the keys is a part of the format.
private struct CatalogReader: ~Escapable {
  private let bytes: Span<UInt8>
  private let origin: ConsentOrigin
  private var tokenizer: JSONTokenizer

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ origin: ConsentOrigin) throws(ConsentCatalogFault) {
    self.bytes = bytes
    self.origin = origin
    do { tokenizer = try JSONTokenizer(bytes, maximumDepth: JSONTokenizer.deepestMaximum) } catch {
      throw .malformed(offset: error.offset)
    }
  }

  @_lifetime(self: copy self)
  mutating func catalog() throws(ConsentCatalogFault) -> ConsentCatalog {
    var entries: [ConsentCatalog.Entry] = []
    var faults: [ConsentFileFault] = []
    try expect(.beginObject)
    try key("forms")
    try expect(.beginArray)
    while try !endsArray() {
      if entries.count == ConsentFormSet.maximumCount { throw malformed }
      entries.append(try entry())
    }
    try key("faults")
    try expect(.beginArray)
    while try !endsArray() {
      if faults.count == ConsentCatalog.maximumFaultCount { throw malformed }
      faults.append(try fault())
    }
    try expect(.endObject)
    try expect(.end)
    if Set(entries.map(\.form.id)).count != entries.count { throw malformed }
    return ConsentCatalog(origin: origin, entries: entries, faults: faults)
  }

  /// An entry, whose object has been opened.
  @_lifetime(self: copy self)
  private mutating func entry() throws(ConsentCatalogFault) -> ConsentCatalog.Entry {
    try key("file")
    let file = try string()
    try key("form")
    let range: Range<Int>
    do { range = try tokenizer.skipValue() } catch { throw .malformed(offset: error.offset) }
    try expect(.endObject)
    do throws(ConsentFileFault) {
      let form = try ConsentFormFile.parse(flattened: bytes.extracting(range), name: file, origin: origin)
      return ConsentCatalog.Entry(file: file, form: form)
    } catch {
      throw .form(error)
    }
  }

  @_lifetime(self: copy self)
  private mutating func fault() throws(ConsentCatalogFault) -> ConsentFileFault {
    try key("file")
    let file = try string()
    try key("line")
    let line = try number()
    try key("column")
    let column = try number()
    try key("message")
    let message = try string()
    var suggestion: String?
    let token = try next()
    if case .key(let range, let escaped) = token, JSONText.matches(bytes, range, escaped: escaped, "suggestion") {
      suggestion = try string()
      try expect(.endObject)
    } else if token != .endObject {
      throw malformed
    }
    return ConsentFileFault(file: file, line: line, column: column, message: message, suggestion: suggestion)
  }

  private var malformed: ConsentCatalogFault { .malformed(offset: tokenizer.offset) }

  @_lifetime(self: copy self)
  private mutating func next() throws(ConsentCatalogFault) -> JSONTokenizer.Token {
    do { return try tokenizer.next() } catch { throw .malformed(offset: error.offset) }
  }

  @_lifetime(self: copy self)
  private mutating func expect(_ token: JSONTokenizer.Token) throws(ConsentCatalogFault) {
    if try next() != token { throw malformed }
  }

  /// True at the end of an array; false where an object was opened in it.
  @_lifetime(self: copy self)
  private mutating func endsArray() throws(ConsentCatalogFault) -> Bool {
    switch try next() {
    case .endArray: return true
    case .beginObject: return false
    default: throw malformed
    }
  }

  @_lifetime(self: copy self)
  private mutating func key(_ name: StaticString) throws(ConsentCatalogFault) {
    guard case .key(let range, let escaped) = try next(), JSONText.matches(bytes, range, escaped: escaped, name) else {
      throw malformed
    }
  }

  /// A line of text that is not empty and steers nothing.
  @_lifetime(self: copy self)
  private mutating func string() throws(ConsentCatalogFault) -> String {
    guard case .string(let range, let escaped) = try next(),
      let text = try? JSONText.string(bytes, range, escaped: escaped), !text.isEmpty, PlainText.cleaned(text) == text
    else { throw malformed }
    return text
  }

  @_lifetime(self: copy self)
  private mutating func number() throws(ConsentCatalogFault) -> Int {
    guard case .number(let range) = try next(), let value = JSONNumber.int64(bytes.extracting(range)),
      let number = Int(exactly: value), number > 0
    else { throw malformed }
    return number
  }
}
