public import ConsentCore
public import PasscodePlatform

/// The default renderer: the helper process `passcode-consent-pdf`, so that no library that reads fonts gets into this one.
///
/// Each call starts a process and has waited for its end when it returns. The same paper, layout and fonts always give the same
/// bytes.
public struct PDFHelper: ConsentPaperRendering {
  private let executable: String?
  private let arguments: [String]
  private let environment: [String]
  private let limit: Duration

  /// A renderer.
  ///
  /// - Parameters:
  ///   - layout: the absolute path of a theme file; nil for none.
  ///   - executable: the helper's absolute path; nil looks beside the running program and in its `../libexec`.
  ///   - environment: where the user's fonts are looked for.
  ///   - limit: when the helper is killed.
  public init(
    layout: String? = nil, executable: String? = nil, environment: ProcessEnvironment = .current(),
    limit: Duration = .seconds(60)
  ) {
    self.executable = executable ?? (try? ExecutablePath.companion(named: "passcode-consent-pdf")) ?? nil
    arguments = layout.map { ["--layout", $0] } ?? []
    self.environment = [
      "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
    ].compactMap { name in environment[name].map { "\(name)=\($0)" } }
    self.limit = limit
  }

  /// The PDF.
  ///
  /// - Throws: `refused` for a paper or a layout with a fault, or with letters that no installed font has; every other case
  ///   of ``RendererFault``.
  public func pdf(of paper: ConsentPaper) async throws(RendererFault) -> [UInt8] {
    guard let executable else { throw .noHelper }
    return try await RendererProcess(executable, arguments: arguments, environment: environment, limit: limit).pdf(of: paper)
  }
}

/// A renderer of your own: any program that reads a paper as JSON from its input and writes a PDF to its output, with exit 0.
///
/// Exit code 65 or 66 is a refusal of the paper; what it writes to its error output is the reason.
public struct ExternalRenderer: ConsentPaperRendering {
  private let process: RendererProcess

  /// A renderer.
  ///
  /// - Parameters:
  ///   - executable: an absolute path.
  ///   - arguments: after its name.
  ///   - limit: when it is killed, with what it started.
  public init(
    _ executable: String, arguments: [String] = [], environment: ProcessEnvironment = .current(),
    limit: Duration = .seconds(60)
  ) {
    let home = environment["HOME"].map { ["HOME=\($0)"] } ?? []
    process = RendererProcess(
      executable, arguments: arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"] + home,
      limit: limit)
  }

  /// The PDF.
  ///
  /// - Throws: every case of ``RendererFault`` but `noHelper`.
  public func pdf(of paper: ConsentPaper) async throws(RendererFault) -> [UInt8] { try await process.pdf(of: paper) }
}
