import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

struct SecretLineEditorTests {
  private typealias Outcome = SecretLineEditor.Outcome

  /// The last outcome and the text after typing `bytes`.
  private func type(
    _ bytes: [UInt8], limit: Int = 1024, isMultiline: Bool = false
  ) throws -> (outcome: SecretLineEditor.Outcome, text: [UInt8], isWhole: Bool) {
    var editor = try SecretLineEditor(limit: limit, isMultiline: isMultiline)
    var parser = KeyParser()
    var outcome = Outcome.unchanged
    for byte in bytes { if let key = parser.feed(byte) { outcome = editor.apply(key) } }
    let isWhole = editor.isBetweenCharacters
    let text = editor.finish()
    return (outcome, text.bytes.indices.map { text.bytes[$0] }, isWhole)
  }

  private func type(_ text: String, limit: Int = 1024, isMultiline: Bool = false) throws -> (SecretLineEditor.Outcome, String) {
    let (outcome, text, _) = try type(Array(text.utf8), limit: limit, isMultiline: isMultiline)
    return (outcome, String(decoding: text, as: UTF8.self))
  }

  @Test("Enter ends the text")
  func enter() throws {
    #expect(try type("sesame\r") == (.finished, "sesame"))
    #expect(try type("\r") == (.finished, ""))
  }

  @Test("Backspace takes away a whole character", arguments: ["a", "é", "日", "🔑", "\u{301}"])
  func backspace(character: String) throws {
    #expect(try type("x" + character + "\u{7f}") == (.changed, "x"))
    #expect(try type(character + "\u{7f}\u{7f}") == (.unchanged, ""))
  }

  @Test("Ctrl-U erases the text, Ctrl-W a word")
  func erase() throws {
    #expect(try type("one two\u{15}") == (.changed, ""))
    #expect(try type("one two  \u{17}") == (.changed, "one "))
    #expect(try type("one\u{17}\u{17}") == (.unchanged, ""))
  }

  @Test("Ctrl-C gives up at any time, Ctrl-D on nothing")
  func cancel() throws {
    #expect(try type("abc\u{3}").0 == .cancelled)
    #expect(try type("\u{4}").0 == .cancelled)
    #expect(try type("abc\u{4}") == (.unchanged, "abc"))
    #expect(try type("abc\u{1a}") == (.suspended, "abc"))
  }

  @Test("Keys without meaning leave no trace in the text")
  func otherKeys() throws {
    #expect(try type("a\t\u{1b}[A\u{1b}[3~\u{1b}OPb\r") == (.finished, "ab"))
  }

  @Test("Pasted text is taken but for one line break at its end")
  func paste() throws {
    #expect(try type("\u{1b}[200~se\tsame\r\u{1b}[201~") == (.changed, "se\tsame"))
    #expect(try type("\u{1b}[200~a\r\r\u{1b}[201~\r") == (.finished, "a\n"))
    #expect(try type("\u{1b}[200~a\nb\u{1b}[201~\r") == (.finished, "a\nb"))
    #expect(try type("a\u{1b}[200~\r\u{1b}[201~\r") == (.finished, "a"))
    #expect(try type("\u{1b}[200~\u{1b}[201~\r") == (.finished, ""))
  }

  @Test("SC-23: a text over the limit is refused at its end and never cut")
  func tooLong() throws {
    let longest = String(repeating: "a", count: 1024)
    #expect(try type(longest + "\r") == (.finished, longest))
    #expect(try type(longest + "b\r").0 == .refused(.tooLong(limit: 1024)))
    #expect(try type(longest + "b\u{7f}\r").0 == .refused(.tooLong(limit: 1024)))
    #expect(try type(longest + "b\u{4}").0 == .unchanged)
    #expect(try type(longest + "b\u{15}new\r") == (.finished, "new"))
    #expect(try type(longest + "b\u{3}").0 == .cancelled)
  }

  @Test("NUL is refused at the end of the text")
  func nul() throws {
    #expect(try type("a\0b\r").0 == .refused(.containsNUL))
    #expect(try type("a\0b\u{15}c\r") == (.finished, "c"))
  }

  @Test("A text of many lines ends with Ctrl-D, and Ctrl-U erases its last line")
  func multiline() throws {
    #expect(try type("one\rtwo\r\u{4}", isMultiline: true) == (.finished, "one\ntwo\n"))
    #expect(try type("one\rtwo\u{15}", isMultiline: true) == (.changed, "one\n"))
    #expect(try type("12345\r6\u{15}\u{4}", limit: 6, isMultiline: true) == (.finished, ""))
  }

  @Test("A text is judged only between characters; bytes that are no UTF-8 hold nothing up")
  func wholeCharacters() throws {
    for (bytes, isWhole) in [
      ([], true), ([0x61], true), ([0xc3], false), ([0xc3, 0xa9], true), ([0xf0, 0x9f, 0x94], false),
      ([0xf0, 0x9f, 0x94, 0x91], true), ([0x80, 0x80, 0x80, 0x80, 0x80], true), ([0xff], true), ([0xe9], false),
    ] as [([UInt8], Bool)] {
      #expect(try type(bytes).isWhole == isWhole)
    }
  }

  @Test("The editor agrees with a model over characters for random typing")
  func model() throws {
    var random = SplitMix64.announced()
    let characters: [Unicode.Scalar] = ["a", "é", "日", "🔑", " ", "\u{301}"]
    for _ in 0..<2000 {
      var model: [Unicode.Scalar] = []
      var typed: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
          typed.append(0x7f)
          _ = model.popLast()
        case 2:
          typed.append(0x17)
          while model.last == " " { model.removeLast() }
          while let last = model.last, last != " " { model.removeLast() }
        case 3 where Bool.random(using: &random):
          typed.append(0x15)
          model = []
        default:
          let scalar = characters.randomElement(using: &random)!
          typed += Array(String(Character(scalar)).utf8)
          model.append(scalar)
        }
      }
      let result = try type(typed)
      #expect(result.text == model.flatMap { Array(String(Character($0)).utf8) })
      #expect(result.isWhole)
    }
  }
}
