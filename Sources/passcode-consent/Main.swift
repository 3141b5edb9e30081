internal import ConsentCore
internal import ConsentMarkup
internal import Glibc
internal import PasscodePlatform

/// The process that reads the files of consent forms for `passcoded` and `passcode`: it alone has the parsers of Markdown and
/// HTML, and it never holds a secret. It writes a ``ConsentCatalog`` to its standard output; what is wrong with a form stands in
/// there. It ends with 0, with 64 for other arguments, 74 where the output can't be written, 77 where it is not safe.
@main
enum Main {
  private static let usage = """
    usage: passcode-consent read FOLDER administrator|user
           passcode-consent check [FILE]

    """

  static func main() {
    let findings = ProcessHardening.apply(.daemon)
    Signals.ignoreBrokenPipes()
    guard findings.isEmpty, ResourceLimits.apply() else { exit(77) }
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    var catalog = ConsentCatalogWriter()
    switch arguments.count {
    case 3 where arguments[0] == "read" && ["administrator", "user"].contains(arguments[2]):
      read(arguments[1], isAdministrators: arguments[2] == "administrator", into: &catalog)
    case 2 where arguments[0] == "check": check(arguments[1], into: &catalog)
    case 1 where arguments[0] == "check": checkInput(into: &catalog)
    default:
      try? FileDescriptor(owning: 2).writeAll(usage)
      exit(64)
    }
    do { try FileDescriptor(owning: 1).writeAll(catalog.json.span) } catch { exit(74) }
  }

  private static func read(_ path: String, isAdministrators: Bool, into catalog: inout ConsentCatalogWriter) {
    let origin: ConsentOrigin = isAdministrators ? .administrator : .user
    do throws(ConsentFileObstacle) {
      let folder = try FormFolder(path, owners: [0, geteuid()])
      let names = try folder.formNames()
      for name in names.improper.prefix(ConsentFormSet.maximumCount) { catalog.add(fault(name, improperName)) }
      for name in names.proper.prefix(ConsentFormSet.maximumCount) { add(name, folder, origin, to: &catalog) }
      if names.proper.count > ConsentFormSet.maximumCount {
        throw .refused("the folder holds more than \(ConsentFormSet.maximumCount) forms; the first ones count")
      }
    } catch {
      // No folder is no forms.
      if error != .absent { catalog.add(fault(".", error)) }
    }
  }

  private static var improperName: ConsentFileObstacle {
    .refused("the file's name is not UTF-8, or holds a control character; rename it")
  }

  private static func check(_ path: String, into catalog: inout ConsentCatalogWriter) {
    let (directory, name) = PathParts.split(path)
    let shown = name.isEmpty ? "." : FormFolder.shown(name)
    do throws(ConsentFileObstacle) {
      let folder = try FormFolder(directory, owners: nil)
      if name.isEmpty { throw .refused("it is not a regular file") }
      if shown != name { throw improperName }
      add(name, folder, .user, to: &catalog)
    } catch {
      catalog.add(fault(shown, error))
    }
  }

  private static func checkInput(into catalog: inout ConsentCatalogWriter) {
    add(StandardInput.name, StandardInput(), .user, to: &catalog)
  }

  private static func add(
    _ name: String, _ folder: any ConsentFileReading, _ origin: ConsentOrigin, to catalog: inout ConsentCatalogWriter
  ) {
    do throws(ConsentFileFault) {
      catalog.add(try ConsentFormFile.parse(name, from: folder, origin: origin, markup: CMarkupReader()), file: name)
    } catch {
      catalog.add(error)
    }
  }

  private static func fault(_ file: String, _ obstacle: ConsentFileObstacle) -> ConsentFileFault {
    let message = obstacle == .absent ? "there is no such file" : obstacle.description
    return ConsentFileFault(file: file, line: 1, column: 1, message: message)
  }
}

/// A form that is piped in: no file lies beside it.
private struct StandardInput: ConsentFileReading {
  static let name = "stdin"

  func contents(of name: String) throws(ConsentFileObstacle) -> [UInt8] {
    guard name == Self.name else {
      throw .refused("no file lies beside stdin; check the form where its texts are, by its name")
    }
    do { return try FileDescriptor(owning: 0).readAll(limit: ConsentFormFile.maximumByteCount) } catch {
      if case .tooLong = error { throw .tooLarge }
      throw .refused("\(error)")
    }
  }
}
