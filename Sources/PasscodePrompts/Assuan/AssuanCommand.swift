/// What is sent to a pinentry. None of it is ever a secret.
///
/// There is no case for SETKEYINFO and none for an external password cache: a pinentry must not keep a passcode.
///
/// Source: pinentry manual, "Protocol".
enum AssuanCommand: Equatable, Sendable {
  /// The texts of a prompt.
  enum Text: String, Sendable {
    case title = "SETTITLE"
    case description = "SETDESC"
    case prompt = "SETPROMPT"
    case error = "SETERROR"
    case okLabel = "SETOK"
    case cancelLabel = "SETCANCEL"
    case notOKLabel = "SETNOTOK"
    case repeatLabel = "SETREPEAT"
    case repeatError = "SETREPEATERROR"
    case qualityBar = "SETQUALITYBAR"
  }

  /// A setting; one that a pinentry does not know is no fault.
  case option(String, value: String? = nil)
  /// A text to show.
  case set(Text, String)
  /// Seconds after which pinentry gives up by itself.
  case timeout(Int)
  /// Asks what kind of pinentry it is.
  case getFlavor
  /// Asks for a passcode.
  case getPIN
  /// Asks for a yes or no.
  case confirm
  /// Ends the dialogue.
  case bye
  /// Answers an inquiry with a text, or with nothing.
  case answer(String?)
  /// Declines an inquiry.
  case declineInquiry

  /// The longest line, with its line feed, in bytes.
  static let maximumLineByteCount = 1000

  /// The bytes to send, each line ended by a line feed and at most ``maximumLineByteCount`` long.
  var bytes: [UInt8] {
    switch self {
    case .option(let name, let value): Self.line("OPTION", value.map { "\(name)=\($0)" } ?? name)
    case .set(let text, let words): Self.line(text.rawValue, words)
    case .timeout(let seconds): Self.line("SETTIMEOUT", "\(seconds)")
    case .getFlavor: Array("GETINFO flavor\n".utf8)
    case .getPIN: Array("GETPIN\n".utf8)
    case .confirm: Array("CONFIRM\n".utf8)
    case .bye: Array("BYE\n".utf8)
    case .answer(let words): (words.map { Self.line("D", $0) } ?? []) + Array("END\n".utf8)
    case .declineInquiry: Array("CAN\n".utf8)
    }
  }

  private static func line(_ word: String, _ words: String) -> [UInt8] {
    let start = Array("\(word) ".utf8)
    return start + AssuanText.escape(words, limit: maximumLineByteCount - start.count - 1) + [UInt8(ascii: "\n")]
  }
}
