import SecretMemory
import TestSupport
import Testing

@testable import PasscodeCore

@Suite struct SlotTests {
  private static func randomHeader(_ random: inout SplitMix64) -> SlotHeader {
    let kinds: [SlotKind] = [.passcode, .keyring, .recovery]
    let parameters = Argon2Parameters(
      passes: UInt32.random(in: 2...16, using: &random), memoryKiB: UInt32.random(in: (19 << 10)...(1 << 20), using: &random))!
    let derivation: SlotDerivation =
      Bool.random(using: &random)
      ? .direct : .argon2id(parameters, salt: randomBytes(16, &random), normalization: PasscodeText.rule)
    return SlotHeader(
      kind: kinds.randomElement(using: &random)!, id: UInt32.random(in: 0 ... .max, using: &random),
      generation: UInt64.random(in: 0 ... .max, using: &random), derivation: derivation,
      deviceKeyID: Bool.random(using: &random) ? DeviceKeyID(unchecked: randomBytes(16, &random)) : nil)
  }

  @Test("a slot that is stored and read again is the same, and opens with its key only, in its store only")
  func roundTrip() throws {
    var random = SplitMix64.announced()
    for _ in 0..<60 {
      let (store, other) = (StoreID.random(), StoreID.random())
      let storeKey = try StoreKey.random()
      let slotKey = try SlotKey.random()
      let wrongKey = try SlotKey.random()
      let slot = Slot(wrapping: storeKey, with: slotKey, as: Self.randomHeader(&random), of: store)
      let bytes = slot.encoded(for: store)
      #expect(bytes.count == Slot.byteCount)
      let read = try #require(Slot(bytes, of: store))
      #expect(read == slot && read.encoded(for: store) == bytes)
      switch try read.open(with: slotKey, of: store) {
      case .some(let key): #expect(key.copiedBytes == storeKey.copiedBytes)
      case .none: Issue.record("the slot did not open")
      }
      let opensWithAnother = try read.open(with: wrongKey, of: store) != nil
      let opensElsewhere = try read.open(with: slotKey, of: other) != nil
      #expect(!opensWithAnother && !opensElsewhere)
      #expect(Slot(bytes, of: other) == nil)
    }
  }

  @Test("no changed byte, no other length and no bytes at random are a slot")
  func damage() throws {
    var random = SplitMix64.announced()
    let store = StoreID.random()
    let slot = Slot(wrapping: try .random(), with: try .random(), as: Self.randomHeader(&random), of: store)
    let bytes = slot.encoded(for: store)
    for index in bytes.indices {
      var bad = bytes
      bad[index] ^= 1 << Int.random(in: 0..<8, using: &random)
      #expect(Slot(bad, of: store) == nil)
    }
    for count in 0..<bytes.count + 10 where count != bytes.count {
      #expect(Slot(Array((bytes + bytes).prefix(count)), of: store) == nil)
    }
    for _ in 0..<500 { #expect(Slot(randomBytes(Slot.byteCount, &random), of: store) == nil) }
  }

  @Test("a header at random, under a right checksum, is refused or is one that could have been written; nothing crashes")
  func hostileHeader() throws {
    var random = SplitMix64.announced()
    let store = StoreID.random()
    var read = 0
    for round in 0..<4000 {
      var body = Slot(wrapping: try .random(), with: try .random(), as: Self.randomHeader(&random), of: store).encoded(
        for: store)
      body.removeLast(32)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        body[Int.random(in: 0..<(round % 2 == 0 ? 28 : 60), using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      let input = store.bytes + body
      let bytes = body + BLAKE2b.unkeyed(input.span).bytes
      guard let slot = Slot(bytes, of: store) else { continue }
      read += 1
      #expect(slot.encoded(for: store) == bytes)
      guard case .argon2id(let parameters, let salt, _) = slot.header.derivation else { continue }
      #expect((2...16).contains(parameters.passes) && (19 << 10...1 << 20).contains(parameters.memoryKiB) && salt.count == 16)
    }
    #expect(read > 100)
  }

  @Test("one passcode gives one slot key per salt, cost and device key")
  func slotKeys() throws {
    let passcode = Array("correct horse 1".utf8)
    let salts = [[UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16)]
    let costs = [Argon2Parameters.floor, Argon2Parameters(passes: 3, memoryKiB: 19 << 10)!]
    let device: DeviceKey? = try .random()
    var keys: [[UInt8]] = []
    for salt in salts {
      for cost in costs {
        keys.append(try Slot.key(ofPasscode: passcode.span, salt: salt, parameters: cost, deviceKey: nil).copiedBytes)
        keys.append(try Slot.key(ofPasscode: passcode.span, salt: salt, parameters: cost, deviceKey: device).copiedBytes)
      }
    }
    #expect(Set(keys).count == 8)
    #expect(
      try Slot.key(ofPasscode: passcode.span, salt: salts[0], parameters: costs[0], deviceKey: nil).copiedBytes == keys[0])
  }
}

extension SymmetricKey {
  var copiedBytes: [UInt8] { bytes.indices.map { bytes[$0] } }
}

func randomBytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
  (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
}
