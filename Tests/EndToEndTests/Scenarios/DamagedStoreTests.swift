import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct DamagedStoreTests {
  @Test("SC-3: a damaged store is refused with what is wrong and what to do, and never replaced")
  func damaged() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "kept".utf8)
    try home.expect(0, "daemon", "stop")
    let good = try readFile(home.storePath)

    var flipped = good
    // The first page, with the tables' names, stays whole.
    for index in 4096..<flipped.count { flipped[index] ^= 0xff }
    var newer = good
    // SQLite's user_version, bytes 60 to 63 of the header.
    newer[60] = 0x7f
    let damages: [(name: String, bytes: [UInt8])] = [
      ("cut", Array(good.prefix(good.count / 2))), ("other format", Array("this is no store at all\n".utf8)),
      ("flipped", flipped), ("newer", newer), ("header gone", [UInt8](repeating: 0, count: 4096) + good.dropFirst(4096)),
    ]
    for damage in damages {
      try home.directory.write("data/passcoded/store.db", damage.bytes)
      let unlock = try home.run(["unlock", "--passcode-file", home.passcodeFile])
      #expect(unlock.status == .exited(78), "\(damage.name): \(unlock.errorText)")
      #expect(unlock.errorText.contains(";"), "\(damage.name) says what to do: \(unlock.errorText)")
      let create = try home.run(["create", "--passcode-file", home.passcodeFile])
      #expect([.exited(73), .exited(78)].contains(create.status), "\(damage.name): \(create.errorText)")
      try home.run(["status"]).expectExit(0, damage.name)
      try home.expect(0, "daemon", "stop")
      #expect(try readFile(home.storePath) == damage.bytes, "\(damage.name): the file was touched")
    }

    try home.directory.write("data/passcoded/store.db", good)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "kept")
  }

  @Test("SC-3: a store that can't be read for a moment is not taken for a missing one")
  func unreadable() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "daemon", "stop")
    let aside = home.directory.file("aside")
    #expect(unsafe rename(home.storePath, aside) == 0)
    // A directory in its place can be read by nobody as a file, not even by root.
    try home.directory.makeDirectory("data/passcoded/store.db")
    let unlock = try home.run(["unlock", "--passcode-file", home.passcodeFile])
    #expect([.exited(74), .exited(78)].contains(unlock.status), "\(unlock.errorText)")
    let create = try home.run(["create", "--passcode-file", home.passcodeFile])
    #expect([.exited(73), .exited(74), .exited(78)].contains(create.status), "\(create.errorText)")
    #expect(unsafe rmdir(home.storePath) == 0 && rename(aside, home.storePath) == 0)
    try home.expect(0, "daemon", "restart")
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
  }
}
