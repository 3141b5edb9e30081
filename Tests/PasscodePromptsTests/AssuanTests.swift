import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

@testable import PasscodePrompts

struct AssuanTests {
  @Test(
    "Each line of a pinentry is told apart",
    arguments: [
      ("OK", .ok), ("OK Pleased to meet you", .ok),
      ("ERR 83886179 Operation cancelled <Pinentry>", .error(83_886_179)), ("ERR 1", .error(1)),
      ("S PIN_REPEATED", .status(isPINRepeated: true)), ("S PIN_REPEATED 1", .status(isPINRepeated: true)),
      ("S ERROR tty.? 83886142 ", .status(isPINRepeated: false)), ("S", .status(isPINRepeated: false)),
      ("#", .comment), ("# words", .comment), ("#words", .comment),
      ("D", .data(1..<1)), ("D ", .data(2..<2)), ("D a b", .data(2..<5)), ("D  a", .data(2..<4)),
      ("INQUIRE QUALITY a%25", .inquiry(.quality, 16..<20)), ("INQUIRE QUALITY", .inquiry(.quality, 15..<15)),
      ("INQUIRE CHECKPIN a b", .inquiry(.check, 17..<20)), ("INQUIRE KEYDATA", .inquiry(.other, 15..<15)),
      ("", .malformed), (" OK", .malformed), ("ok", .malformed), ("OKAY", .malformed), ("DATA", .malformed),
      ("ERR", .malformed), ("ERR x", .malformed), ("ERR -1", .malformed), ("ERR 4294967296", .malformed),
      ("ERR 99999999999", .malformed), ("INQUIRE", .malformed), ("INQUIRE ", .malformed), ("END", .malformed),
      ("OK\r", .malformed),
    ] as [(String, AssuanReply)])
  func replies(line: String, reply: AssuanReply) {
    #expect(AssuanReply(Array(line.utf8).span) == reply)
  }

  @Test("Whatever bytes a line has, its ranges lie within it")
  func anyLine() {
    var generator = SplitMix64.announced()
    let words = ["OK", "ERR ", "S ", "#", "D ", "INQUIRE ", "QUALITY ", "CHECKPIN ", "%", "9", " "].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      var line: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        line +=
          Bool.random(using: &generator)
          ? words.randomElement(using: &generator)! : [UInt8.random(in: 0...255, using: &generator)]
      }
      switch AssuanReply(line.span) {
      case .data(let range), .inquiry(_, let range): #expect(range.upperBound == line.count && range.lowerBound >= 1)
      default: break
      }
    }
  }

  private func unescaped(_ bytes: [UInt8], _ part: Range<Int>? = nil) -> [UInt8]? {
    var copy = bytes
    var span = copy.mutableSpan
    guard let range = AssuanText.unescape(&span, in: part ?? 0..<bytes.count) else { return nil }
    return Array(copy[range])
  }

  @Test("Data is decoded in place, and only where it was asked for")
  func decoding() {
    #expect(unescaped(Array("a%25b%0D%0a%c3%A9".utf8)) == Array("a%b\r\n\u{e9}".utf8))
    #expect(unescaped(Array("%41%%41".utf8), 0..<3) == Array("A".utf8))
    #expect(unescaped(Array("%4".utf8) + Array("1".utf8), 0..<2) == nil, "the escape ends behind the part")
    #expect(unescaped([0xff, 0, 0x80]) == [0xff, 0, 0x80])
  }

  @Test("An escape without two hexadecimal digits is refused", arguments: ["%", "a%", "%4", "%4g", "%g4", "%%25", "%-1"])
  func badEscapes(text: String) {
    #expect(unescaped(Array(text.utf8)) == nil)
  }

  @Test("Every byte string comes back from its escapes")
  func roundTrip() {
    var generator = SplitMix64.announced()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let escaped = bytes.flatMap { byte -> [UInt8] in
        byte == 0x25 || byte == 0x0a || byte == 0x0d || Bool.random(using: &generator)
          ? Array("%\(String(byte >> 4, radix: 16, uppercase: true))\(String(byte & 15, radix: 16))".utf8) : [byte]
      }
      #expect(unescaped(escaped) == bytes)
    }
  }

  @Test("A command is lines of at most 1,000 bytes, whatever its text, and shows no terminal command")
  func commands() {
    var generator = SplitMix64.announced()
    let pieces = ["a", "%", "\n", "\r", "é", "😀", "\u{1b}[2J", "\u{7}", "\u{202e}", "\u{9b}", "\u{0}", "👨‍👩‍👧", "END\nGETPIN"]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0..<900, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }.joined()
      for command in [AssuanCommand.set(.description, text), .option("ttyname", value: text), .answer(text)] {
        let lines = command.bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        #expect(lines.count == (command == .answer(text) ? 3 : 2) && lines.last!.isEmpty)
        #expect(lines.allSatisfy { $0.count < AssuanCommand.maximumLineByteCount })
        for line in lines {
          let shown = String(validating: line, as: UTF8.self)
          #expect(shown != nil, "cut within a character")
          #expect(shown?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{9b}" && $0 != "\u{202e}" } == true)
        }
      }
    }
  }

  @Test("A text within the limit stays whole; a longer one ends in an ellipsis at a whole character")
  func clipping() {
    #expect(AssuanText.clip("abc", limit: 3) == "abc")
    #expect(AssuanText.clip("abcd", limit: 3) == "…")
    #expect(AssuanText.clip("abcdef", limit: 5) == "ab…")
    #expect(AssuanText.clip("a%%", limit: 6) == "a…", "an escape counts three")
    #expect(AssuanText.clip("a%", limit: 4) == "a%")
    #expect(AssuanText.clip("xe\u{301}e\u{301}e\u{301}", limit: 7) == "xe\u{301}…")
  }

  @Test("Bytes make the same lines wherever they are split")
  func splitting() throws {
    let text = "OK\nD a%25b\nS PIN_REPEATED\n\n# x\n"
    for cut in 0...text.utf8.count {
      let lines = try linesOf([Array(text.utf8.prefix(cut)), Array(text.utf8.dropFirst(cut))])
      #expect(lines == [2, 7, 14, 0, 3])
    }
    #expect(try linesOf(text.utf8.map { [$0] }) == [2, 7, 14, 0, 3])
  }

  /// The lengths of the lines in what is written piece by piece.
  private func linesOf(_ pieces: [[UInt8]]) throws -> [Int] {
    let (reading, writing) = try makePipe()
    let input = FileDescriptor(owning: reading)
    let output = FileDescriptor(owning: writing)
    var buffer = try AssuanLineBuffer()
    var lines: [Int] = []
    for piece in pieces where !piece.isEmpty {
      try output.writeAll(piece.span)
      #expect(try buffer.fill(from: input))
      while case .line(let count) = buffer.front {
        lines.append(count)
        buffer.dropLine(count)
      }
    }
    return lines
  }

  @Test("A line of 1,000 bytes with its line feed is taken; one more is not", arguments: [999, 1000])
  func longLines(count: Int) throws {
    let (reading, writing) = try makePipe()
    let input = FileDescriptor(owning: reading)
    let output = FileDescriptor(owning: writing)
    var buffer = try AssuanLineBuffer()
    try output.writeAll(String(repeating: "x", count: count) + "\n")
    #expect(try buffer.fill(from: input))
    #expect(buffer.front == (count == 999 ? .line(999) : .oversized))
  }
}
