import Glibc
import PasscodeCore
import TestSupport
import Testing

@testable import PasscodeValidators

@Suite("blocklist") struct BlocklistValidatorTests {
  private func text(_ entry: Span<UInt8>) -> String { String(decoding: entry.indices.map { entry[$0] }, as: UTF8.self) }

  @Test("every entry of the packaged lists is found, in any case") func packaged() throws {
    for (list, source) in [(PackagedList.common, BlocklistSource.common), (.pins, .pins)] {
      let validator = try BlocklistValidator([source])
      var missed = 0
      for index in 0..<list.count {
        if try rejection(of: text(list[index]).uppercased(), by: validator) == nil { missed += 1 }
      }
      // U+017F and its like change their length or base in upper case; the list is ASCII but for a few entries.
      #expect(missed == 0)
    }
    #expect(PackagedList.common.count >= 30_000)
  }

  @Test("an entry is compared as a whole") func whole() throws {
    let validator = try BlocklistValidator([.common])
    #expect(try rejection(of: "password", by: validator) != nil)
    #expect(try rejection(of: "PassWord", by: validator) != nil)
    for near in ["password ", " password", "passwordsz", "my password is long", "", "\u{0301}password", "pässword"] {
      #expect(try rejection(of: near, by: validator) == nil, "\(near)")
    }
  }

  @Test("the digits of other scripts count as ASCII's") func digits() throws {
    let validator = try BlocklistValidator([.pins])
    for pin in ["123456", "١٢٣٤٥٦", "１２３４５６", "000000", "19841984"] {
      #expect(try rejection(of: pin, by: validator) != nil, "\(pin)")
    }
    #expect(try rejection(of: "582931", by: validator) == nil)
  }

  @Test("several lists are one requirement that names them") func requirement() throws {
    #expect(try BlocklistValidator([.common]).requirement == "not a common password")
    #expect(try BlocklistValidator([.common, .pins]).requirement == "not a common PIN or password")
    let directory = try TemporaryDirectory()
    let path = try directory.write("list", "x".utf8)
    #expect(try BlocklistValidator([.file(path: path)]).requirement == "not on the list of refused passcodes")
  }

  @Test("a file has one entry a line, in any order, case and normal form") func file() throws {
    let directory = try TemporaryDirectory()
    let lines = "zebra stripes\nAcme2024\r\n\ncafe\u{301} noir\nΑΘΗΝΑ\n"
    let bad: [UInt8] = [0xFF, 0xFE, UInt8(ascii: "\n")]
    let tooLong = [UInt8](repeating: UInt8(ascii: "a"), count: 1025) + [UInt8(ascii: "\n")]
    let path = try directory.write("list", Array(lines.utf8) + bad + tooLong + Array("last line".utf8))
    let validator = try BlocklistValidator([.file(path: path)])
    for entry in ["zebra stripes", "ACME2024", "acme2024", "café noir", "CAFÉ NOIR", "αθηνα", "last line"] {
      #expect(try rejection(of: entry, by: validator) != nil, "\(entry)")
    }
    for other in ["zebra", "acme2024\r", "", "cafe noir", String(repeating: "a", count: 1024)] {
      #expect(try rejection(of: other, by: validator) == nil, "\(other)")
    }
    #expect(try ListFile.read(path).count == 5)
  }

  @Test("a file that has changed is read again") func changed() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("list", "first entry\n".utf8)
    #expect(try rejection(of: "second entry", by: BlocklistValidator([.file(path: path)])) == nil)
    try directory.write("list", "first entry\nsecond entry\n".utf8)
    #expect(try rejection(of: "second entry", by: BlocklistValidator([.file(path: path)])) != nil)
  }

  @Test("the faults of a file are named") func faults() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.file("missing")
    #expect(throws: ValidatorFault.unreadable(path: missing, errno: ENOENT)) { try BlocklistValidator([.file(path: missing)]) }
    #expect(ValidatorFault.unreadable(path: missing, errno: ENOENT).description == "\(missing): No such file or directory")
    #expect(throws: ValidatorFault.notRegular(path: directory.path)) { try BlocklistValidator([.file(path: directory.path)]) }
    let pipe = directory.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: ValidatorFault.notRegular(path: pipe)) { try BlocklistValidator([.file(path: pipe)]) }
    let large = try directory.write("large", [])
    #expect(unsafe truncate(large, ListFile.maximumByteCount + 1) == 0)
    #expect(throws: ValidatorFault.tooLarge(path: large, limit: ListFile.maximumByteCount)) {
      try BlocklistValidator([.file(path: large)])
    }
  }
}
