import PasscodePlatform
import TestSupport
import Testing

struct KeyParserTests {
  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  private func keys(_ bytes: [UInt8]) -> [Key] {
    var parser = KeyParser()
    let keys = bytes.compactMap { parser.feed($0) }
    return keys + [parser.flush()].compactMap { $0 }
  }

  @Test("Text comes byte by byte, characters beyond ASCII as several")
  func text() {
    #expect(keys("aé") == [.byte(0x61), .byte(0xc3), .byte(0xa9)])
    #expect(keys([0x20, 0x7e, 0x80, 0xff, 0x00]) == [.byte(0x20), .byte(0x7e), .byte(0x80), .byte(0xff), .byte(0)])
  }

  @Test("Control bytes are keys")
  func controls() {
    #expect(keys("\r\n") == [.enter, .enter])
    #expect(
      keys([0x03, 0x1c, 0x04, 0x1a, 0x15, 0x17]) == [.interrupt, .interrupt, .endOfInput, .suspend, .eraseLine, .eraseWord])
    #expect(keys([0x08, 0x7f, 0x09, 0x01]) == [.backspace, .backspace, .tab, .other])
  }

  @Test(
    "Keys that move are told apart, in both of a terminal's modes",
    arguments: [
      ("[A", KeyMovement.up), ("[B", .down), ("[C", .right), ("[D", .left), ("OA", .up), ("OD", .left), ("[5~", .pageUp),
      ("[6~", .pageDown), ("[H", .start), ("OF", .end), ("[1~", .start), ("[8~", .end),
    ])
  func movements(sequence: String, movement: KeyMovement) {
    #expect(keys("\u{1b}\(sequence)z") == [.move(movement), .byte(0x7a)])
  }

  @Test("Function keys and Alt with a letter are one key each, without a stray character")
  func sequences() {
    for sequence in [
      "\u{1b}[2~", "\u{1b}[1;5A", "\u{1b}[15~", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}[?1;2c", "\u{1b}[200;1~", "\u{1b}x",
    ] {
      #expect(keys(sequence + "z") == [.other, .byte(0x7a)])
    }
    #expect(keys("\u{1b}[12345678901234567890~z") == [.other, .byte(0x7a)])
  }

  @Test("Escape alone is a key once nothing follows")
  func escape() {
    #expect(keys("\u{1b}") == [.escape])
    #expect(keys("\u{1b}\u{1b}[A") == [.escape, .move(.up)])
    #expect(keys("\u{1b}é") == [.byte(0xc3), .byte(0xa9)])
    var parser = KeyParser()
    #expect(parser.flush() == nil)
  }

  @Test("Ctrl-C works in the middle of a broken sequence")
  func interruptInSequence() {
    for start in ["\u{1b}", "\u{1b}[", "\u{1b}[12", "\u{1b}O"] { #expect(keys(start + "\u{3}") == [.interrupt]) }
  }

  @Test("Pasted text comes as it is: control bytes are text, carriage returns are line breaks")
  func paste() {
    #expect(
      keys("\u{1b}[200~a\r\u{3}\t\u{1b}[201~\r") == [
        .pasteBegin, .byte(0x61), .byte(0x0a), .byte(3), .byte(9), .pasteEnd, .enter,
      ])
  }

  @Test("Any bytes are taken, and after a pause the next key is clean")
  func anything() {
    var random = SplitMix64.announced()
    for _ in 0..<20_000 {
      var parser = KeyParser()
      let alphabet: [UInt8] = [0x1b, 0x5b, 0x4f, 0x32, 0x30, 0x31, 0x7e, 0x3b, 0x41, 0x03, 0x0d, 0xc3, 0x00, 0x7f]
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let byte =
          Bool.random(using: &random) ? alphabet.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
        _ = parser.feed(byte)
      }
      _ = parser.flush()
      #expect(!parser.isInSequence)
      #expect(parser.feed(0x61) == .byte(0x61))
    }
  }
}
