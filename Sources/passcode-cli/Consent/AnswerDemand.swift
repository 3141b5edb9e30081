internal import ConsentCore
internal import PasscodeWire
internal import StrictJSON

/// What a form asks for beside the agreement, as the options of a command line.
struct AnswerDemand {
  private var place: ConsentSignature?
  private var asksSharing = false

  /// What agreeing to a form asks for. Of a document's signatures the first is the person's own.
  init(_ form: ConsentForm) {
    guard case .document(let document) = form.variants[0].content else { return }
    place = document.signatures.first
    asksSharing = document.sharing != nil
  }

  /// What one signature asks for.
  init(_ place: ConsentSignature) { self.place = place }

  /// The options, with words in angle brackets for what is to be filled in: a shell that is given them as they are does nothing.
  var options: [String] {
    var options: [String] = []
    if place?.requiresName == true { options += Self.names }
    if place?.requiresImage == true { options.append(Self.image) }
    options += (place?.fields ?? []).filter(\.isRequired).map(Self.field)
    return options + (asksSharing ? [Self.sharing] : [])
  }

  /// What an answer lacks, or has too much, each as a line that names the option.
  func faults(of signature: WireSignature?, _ sharing: WireSharing?) -> [String] {
    let given = signature ?? WireSignature(id: "")
    var lines: [String] = []
    if let place {
      let names = [given.givenName, given.familyName].compactMap { $0 }.filter { !$0.isEmpty }
      if place.names == .both, names.count < 2 { lines.append("it needs \(Self.names.joined(separator: " and "))") }
      if place.names == .any, names.isEmpty { lines.append("it needs \(Self.names.joined(separator: " or "))") }
      if place.requiresImage, given.image == nil { lines.append("it needs \(Self.image), a drawn signature") }
      for field in place.fields where field.isRequired && (given.fields[field.id] ?? "").isEmpty {
        lines.append("it needs \(Self.field(field))")
      }
      lines += unknownFields(given, place)
    } else if signature != nil {
      lines.append("it asks for no signature: leave out the names, --image and --field")
    }
    if asksSharing, sharing == nil { lines.append("it needs \(Self.sharing)") }
    if !asksSharing, sharing != nil { lines.append("it asks for no sharing choice: leave out --sharing") }
    return lines
  }

  private func unknownFields(_ given: WireSignature, _ place: ConsentSignature) -> [String] {
    let known = place.fields.map(\.id)
    let list = known.isEmpty ? "it has none" : "it has \(known.map(\.shownSafely).joined(separator: ", "))"
    return given.fields.keys.filter { !known.contains($0) }.sorted()
      .map { "it has no field '\($0.shownSafely)': \(list)" }
  }

  private static let names = ["--given-name <given-name>", "--family-name <family-name>"]
  private static let image = "--image <file.png>"
  private static let sharing = "--sharing <widely|narrowly>"

  private static func field(_ field: ConsentSignerField) -> String { "--field \(ShellWord.quoted(field.id))=<\(field.label)>" }
}

/// A word of a command line that a person is to type.
enum ShellWord {
  /// The word, within quotes where a shell would read it as something else.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_-./:@%+,".utf8.contains(byte)
      }
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
