import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct ExposureTests {
  private static let needles = [
    "correct horse 1", "battery staple 2", "wrong candidate 3", "s3cret-value-4", "older-value-5", "deleted-value-6",
    "folder-name-7", "leaf-name-8", "renamed-name-9", "attribute-key-10", "attribute-value-11", "text/x-type-12",
    "earlier-attribute-13",
  ]

  /// The ways in which a text could stand in a file: UTF-8, UTF-16 of both orders, and base64 at each offset.
  private static func encodings(of text: String) -> [[UInt8]] {
    let plain = Array(text.utf8)
    var all = [plain, plain.flatMap { [$0, 0] }, plain.flatMap { [0, $0] }, plain.map { $0 & 0xDF == $0 ? $0 : $0 ^ 0x20 }]
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for offset in 0..<3 {
      let whole = plain.dropFirst(offset).prefix((plain.count - offset) / 3 * 3)
      var encoded: [UInt8] = []
      for start in stride(from: whole.startIndex, to: whole.endIndex, by: 3) {
        let bits = UInt32(whole[start]) << 16 | UInt32(whole[start + 1]) << 8 | UInt32(whole[start + 2])
        encoded += [18, 12, 6, 0].map { alphabet[Int(bits >> $0 & 63)] }
      }
      all.append(encoded)
    }
    return all
  }

  private func expectNothing(in paths: [String]) throws {
    for path in paths where exists(path) {
      let bytes = try content(path)
      for needle in Self.needles {
        for encoding in Self.encodings(of: needle) { #expect(!contains(bytes, encoding), "\(needle) in \(path)") }
      }
    }
  }

  @Test("SC-65: no name, attribute, type, secret or passcode stands in the file, its log or its index, in any encoding")
  func nothingInClear() throws {
    var policy = PasscodePolicy()
    policy.historyDepth = 5
    try withStore(policy) { fixture, store in
      let files = ["", "-wal", ".lock"].map { fixture.path + $0 }
      let attributes = [
        AttributePair(key: "attribute-key-10", value: "attribute-value-11"),
        AttributePair(key: "k", value: "earlier-attribute-13"),
      ]
      _ = try store.put(
        "folder-name-7/leaf-name-8", "older-value-5", PutOptions(type: "text/x-type-12", attributes: attributes))
      _ = try store.put("folder-name-7/leaf-name-8", "s3cret-value-4", PutOptions(attributes: Array(attributes.prefix(1))))
      _ = try store.put("gone", "deleted-value-6")
      try expectNothing(in: files)
      try store.delete("gone")
      try store.rename("folder-name-7/leaf-name-8", to: "folder-name-7/renamed-name-9")
      try store.guess("wrong candidate 3")
      try store.changePasscode(to: StoreFixture.otherPasscode)
      #expect(try store.found([("attribute-key-10", "attribute-value-11")]) == ["folder-name-7/renamed-name-9"])
      try expectNothing(in: files)
      store.lock()
      try store.close()
      try expectNothing(in: files)
      // The search does find what is there.
      #expect(contains(try content(fixture.path), Array("CREATE TABLE record".utf8)))
    }
  }

  @Test("SC-65: a locked file tells sizes only by their class: 128 bytes and less, then in steps of at most an eighth")
  func sizeClasses() throws {
    func sealedSize(of count: Int) throws -> Int {
      var size = 0
      try withClosedStore(fill: { _ = try $0.put("a", secret: secret([UInt8](repeating: 1, count: count))) }) { fixture in
        size = Int(String(decoding: try query(fixture.path, "SELECT length(secret) FROM record"), as: UTF8.self)) ?? 0
      }
      return size
    }
    // A nonce, the length, the padding; the tag stands in a column of its own.
    #expect(try sealedSize(of: 0) == 24 + 128)
    #expect(try sealedSize(of: 124) == 24 + 128)
    #expect(try sealedSize(of: 125) == 24 + 144)
    #expect(try sealedSize(of: 1000) == 24 + 1024)
    #expect(try sealedSize(of: 1 << 20) == 24 + (1 << 20) + (1 << 15))
  }

  @Test("what was replaced or purged is in neither the file nor its log: slots, history, secrets")
  func erased() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1")
      let secretColumn = try query(fixture.path, "SELECT secret FROM record")
      let slot = Array(try store.storage.slotRows()[0][60..<164])
      let files = ["", "-wal"].map { fixture.path + $0 }
      #expect(try files.contains { contains(try content($0), secretColumn) })
      try store.delete("a", purges: true)
      #expect(try !files.contains { contains(try content($0), Array(secretColumn[24..<152])) })
      #expect(try files.contains { contains(try content($0), slot) })
      try store.changePasscode(to: StoreFixture.otherPasscode)
      #expect(try !files.contains { contains(try content($0), slot) })
    }
  }

  @Test("no public type of the store prints what it holds")
  func descriptions() throws {
    try withStore { fixture, store in
      _ = try store.put("folder-name-7/leaf-name-8", "s3cret-value-4")
      var printed = String(describing: store) + String(reflecting: store)
      dump(store, to: &printed)
      for needle in Self.needles { #expect(!printed.contains(needle)) }
      withExtendedLifetime(fixture) {}
    }
  }
}
