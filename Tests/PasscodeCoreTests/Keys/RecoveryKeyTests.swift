import PasscodeCore
import SecretMemory
import Testing

@Suite struct RecoveryKeyTests {
  private func text(_ key: borrowing RecoveryKey) throws -> [UInt8] {
    let printed = try key.printed()
    return printed.bytes.indices.map { printed.bytes[$0] }
  }

  private func slotKeyBytes(_ key: borrowing RecoveryKey) throws -> [UInt8] {
    let slotKey = try key.slotKey()
    return slotKey.bytes.indices.map { slotKey.bytes[$0] }
  }

  private func fault(_ typed: [UInt8]) -> RecoveryKeyFault? {
    do throws(RecoveryKeyFault) { _ = try RecoveryKey.read(typed.span) } catch { return error }
    return nil
  }

  @Test("a printed key is read again, in small letters, without dashes, with what people write for 0 and 1")
  func roundTrip() throws {
    for _ in 0..<200 {
      let key = try RecoveryKey.random()
      let printed = try text(key)
      #expect(printed.count == RecoveryKey.printedCount)
      let expected = try slotKeyBytes(key)
      var sloppy = String(decoding: printed, as: UTF8.self).lowercased()
      sloppy = String(sloppy.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 == "-" ? " " : $0 })
      let again = try RecoveryKey.read(Array(sloppy.utf8).span)
      #expect(try slotKeyBytes(again) == expected)
    }
  }

  @Test(
    "a key is read with what files, mail and word processors put around it and between its groups",
    arguments: [
      "\n", "\r\n", "\t", " ", "\u{A0}", "\u{AD}", "\u{2009}", "\u{200B}", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}",
      "\u{2028}",
      "\u{202F}", "\u{2060}", "\u{2212}", "\u{3000}", "\u{FE63}", "\u{FF0D}", "\u{FEFF}",
    ])
  func separators(_ separator: String) throws {
    let key = try RecoveryKey.random()
    let printed = String(decoding: try text(key), as: UTF8.self)
    let groups = printed.split(separator: "-").joined(separator: separator)
    for typed in [separator + printed + separator, groups, groups + separator + "\n"] {
      #expect(try slotKeyBytes(try RecoveryKey.read(Array(typed.utf8).span)) == slotKeyBytes(key))
    }
    // Half a character is none.
    let cut = Array(separator.utf8.dropLast())
    #expect(cut.isEmpty || cut == [13] || fault(Array(printed.utf8) + cut) == .mistyped)
    #expect(fault(Array((printed + "\u{E9}").utf8)) == .mistyped)
  }

  @Test("each single slip of a printed key is told as mistyped")
  func slips() throws {
    let printed = try text(try RecoveryKey.random())
    for index in printed.indices where printed[index] != UInt8(ascii: "-") {
      var slip = printed
      slip[index] = slip[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      #expect(fault(slip) == .mistyped)
    }
    #expect(fault(Array(printed.dropLast())) == .mistyped)
    #expect(fault(printed + [UInt8(ascii: "7")]) == .mistyped)
    #expect(fault([]) == .mistyped)
    #expect(fault(Array("not a key at all!".utf8)) == .mistyped)
  }
}
