internal import CPaper
internal import ConsentCore
internal import Glibc
internal import PasscodePlatform

/// The process that puts papers into PDFs. It alone links cairo and Pango, which read fonts; it never holds a secret, and one paper
/// is all that it sees in its life.
@main
enum Main {
  /// What it may take. A paper of hundreds of pages takes a fraction of it; a broken font may want all.
  private static let memoryLimit: UInt = 2 << 30, secondsLimit: UInt = 60

  /// Why the process ends without a PDF.
  private struct Ending: Error {
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) { (self.code, self.message) = (code, message) }
  }

  static func main() {
    do throws(Ending) { try run() } catch {
      try? FileDescriptor(owning: 2).writeAll("passcode-consent-pdf: \(error.message)\n")
      exit(error.code)
    }
  }

  private static func run() throws(Ending) {
    let findings = ProcessHardening.apply(.daemon)
    Signals.ignoreBrokenPipes()
    if let finding = findings.first { throw Ending(69, "\(finding)") }
    limit()
    switch Arguments(Array(CommandLine.arguments.dropFirst())) {
    case .help: try write(Array(Arguments.usage.utf8))
    case .unusable(let what): throw Ending(64, "\(what)\n" + Arguments.usage)
    case .render(let layout):
      let theme = try layout.map { path throws(Ending) in try self.theme(path) } ?? ConsentTheme()
      let paper = try paper()
      cpaper_prepare()
      try write(pdf(of: paper, theme))
    }
  }

  private static func pdf(of paper: ConsentPaper, _ theme: ConsentTheme) throws(Ending) -> [UInt8] {
    do { return try Rendering.pdf(of: paper, theme) } catch {
      switch error {
      case .noMemory, .library: throw Ending(71, "\(error)")
      case .improperImage, .tooManyPixels, .missingGlyphs, .tooManyColumns, .excess: throw Ending(65, "\(error)")
      }
    }
  }

  private static func paper() throws(Ending) -> ConsentPaper {
    let bytes: [UInt8]
    do throws(PlatformError) { bytes = try FileDescriptor(owning: 0).readAll(limit: ConsentPaper.maximumByteCount) } catch {
      if case .tooLong = error { throw Ending(65, "the paper is larger than \(ConsentPaper.maximumByteCount >> 20) MiB") }
      throw Ending(74, "the paper could not be read: \(error)")
    }
    do throws(ConsentPaperFault) { return try ConsentPaper.parse(bytes.span) } catch {
      throw Ending(65, "the paper: \(error)")
    }
  }

  private static func theme(_ path: String) throws(Ending) -> ConsentTheme {
    let bytes: [UInt8]
    do throws(PlatformError) { bytes = try Files.readRegular(path, limit: ConsentTheme.maximumByteCount) } catch {
      throw Ending(66, "\(error)")
    }
    do throws(ConsentFileFault) { return try ConsentTheme.parse(bytes.span, name: path) } catch {
      throw Ending(65, "\(error)")
    }
  }

  private static func write(_ bytes: [UInt8]) throws(Ending) {
    do throws(PlatformError) { try FileDescriptor(owning: 1).writeAll(bytes.span) } catch {
      throw Ending(74, "the output: \(error)")
    }
  }

  /// A paper is not trusted to be small work.
  private static func limit() {
    var memory = rlimit(rlim_cur: memoryLimit, rlim_max: memoryLimit)
    var seconds = rlimit(rlim_cur: secondsLimit, rlim_max: secondsLimit)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &seconds)
  }
}
