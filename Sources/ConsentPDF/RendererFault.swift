public import PasscodePlatform

/// Why a renderer gave no PDF.
public enum RendererFault: Error, Equatable, Sendable {
  /// The helper `passcode-consent-pdf` is not installed with this program.
  case noHelper
  /// The paper or the layout can't be rendered: the renderer's words, such as which font package is missing.
  case refused(String)
  /// The renderer failed, or was ended: its exit code or the negated signal, and its words.
  case failed(code: Int32, words: String)
  /// It was not done within its time.
  case timedOut
  /// The paper, or the PDF, is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// The system refused something.
  case platform(PlatformError)
}

extension RendererFault: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .noHelper: "passcode-consent-pdf is not installed beside this program"
    case .refused(let words): words
    case .failed(let code, let words):
      (code < 0 ? "the renderer was ended by signal \(-code)" : "the renderer failed with exit code \(code)")
        + (words.isEmpty ? "" : ": " + words)
    case .timedOut: "the renderer was not done in time"
    case .tooLarge(let limit): "more than \(limit >> 20) MiB"
    case .platform(let error): "\(error)"
    }
  }
}
