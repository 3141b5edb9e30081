import SecretMemory
import Testing

@Suite("Argon2id")
struct Argon2idTests {
  struct Vector: Sendable {
    let passes: UInt32, memoryKiB: UInt32
    let passcode: [UInt8], salt: [UInt8], key: [UInt8]
  }

  static func vectors() throws -> [Vector] {
    try Vectors.lines("argon2id.txt").map { fields in
      Vector(
        passes: try #require(UInt32(fields[0])), memoryKiB: try #require(UInt32(fields[1])), passcode: hex(fields[2]),
        salt: hex(fields[3]), key: hex(fields[4]))
    }
  }

  @Test("keys are those of the reference implementation")
  func vectors() throws {
    let vectors = try Self.vectors()
    #expect(vectors.count == 16)
    for vector in vectors {
      let parameters = try #require(Argon2Parameters(passes: vector.passes, memoryKiB: vector.memoryKiB))
      let key = try Argon2id.derive(vector.passcode.span, salt: vector.salt.span, parameters: parameters, for: First.self)
      let bytes = array(key.bytes)
      #expect(bytes == vector.key)
    }
  }

  @Test("a changed bit in passcode or salt, a pass or a KiB more gives another key")
  func sensitivity() throws {
    let passcode = Array("correct horse".utf8)
    let salt = [UInt8](0..<16)
    var keys: Set<[UInt8]> = []
    func add(_ passcode: [UInt8], _ salt: [UInt8], _ passes: UInt32, _ memoryKiB: UInt32) throws {
      let parameters = try #require(Argon2Parameters(passes: passes, memoryKiB: memoryKiB))
      let key = try Argon2id.derive(passcode.span, salt: salt.span, parameters: parameters, for: First.self)
      let bytes = array(key.bytes)
      keys.insert(bytes)
    }
    let floor = Argon2Parameters.floor
    try add(passcode, salt, floor.passes, floor.memoryKiB)
    try add(passcode + [0], salt, floor.passes, floor.memoryKiB)
    try add(Array(passcode.dropLast()), salt, floor.passes, floor.memoryKiB)
    try add(passcode, salt.reversed(), floor.passes, floor.memoryKiB)
    try add(passcode, salt, floor.passes + 1, floor.memoryKiB)
    // The reference rounds the memory down to a multiple of 4 KiB, but hashes the number that was asked for.
    try add(passcode, salt, floor.passes, floor.memoryKiB + 1)
    #expect(keys.count == 6)
  }

  @Test("parameters out of bounds do not exist, those on the bounds do")
  func bounds() {
    #expect(Argon2Parameters(passes: 1, memoryKiB: 65_536) == nil)
    #expect(Argon2Parameters(passes: 17, memoryKiB: 65_536) == nil)
    #expect(Argon2Parameters(passes: 2, memoryKiB: 19_455) == nil)
    #expect(Argon2Parameters(passes: 2, memoryKiB: 1_048_577) == nil)
    #expect(Argon2Parameters(passes: 0, memoryKiB: 0) == nil)
    #expect(Argon2Parameters(passes: .max, memoryKiB: .max) == nil)
    #expect(Argon2Parameters(passes: 2, memoryKiB: 19_456) == .floor)
    #expect(Argon2Parameters(passes: 16, memoryKiB: 1_048_576) != nil)
  }

  @Test("a salt has 16 bytes", arguments: [0, 8, 15, 17, 32])
  func saltLength(count: Int) {
    let salt = [UInt8](repeating: 0, count: count)
    let error = failure { () throws(SecretMemoryError) in
      _ = try Argon2id.derive(salt.span, salt: salt.span, parameters: .floor, for: First.self)
    }
    #expect(error == .invalidLength)
  }

  @Test("without the working memory it says so, and not that the passcode is wrong")
  func outOfMemory() async {
    await #expect(processExitsWith: .success) {
      limitAddressSpace(moreThanNow: 8 << 20)
      let salt = [UInt8](repeating: 0, count: 16)
      let error = failure { () throws(SecretMemoryError) in
        _ = try Argon2id.derive(salt.span, salt: salt.span, parameters: .floor, for: First.self)
      }
      #expect(error == .derivationOutOfMemory)
      let calibration = failure { () throws(SecretMemoryError) in
        _ = try Argon2id.calibrate(target: .zero, minimumMemoryKiB: 0, maximumMemoryKiB: 0)
      }
      #expect(calibration == .derivationOutOfMemory)
    }
  }

  @Test("where the machine gives no more memory, calibration takes more passes instead")
  func littleMemory() async {
    await #expect(processExitsWith: .success) {
      limitAddressSpace(moreThanNow: 32 << 20)
      let found = try Argon2id.calibrate(target: .seconds(3600), minimumMemoryKiB: 0, maximumMemoryKiB: 1 << 20)
      #expect(found == Argon2Parameters(passes: 16, memoryKiB: 19_456))
    }
  }

  @Test("calibration stays within what it was given", arguments: [-1, 0, 1, 60, 1 << 40] as [Int64])
  func calibration(milliseconds: Int64) throws {
    let found = try Argon2id.calibrate(
      target: .milliseconds(milliseconds), minimumMemoryKiB: 20_000, maximumMemoryKiB: 24_000)
    #expect((20_000...24_000).contains(found.memoryKiB) && (2...16).contains(found.passes))
    if milliseconds <= 1 { #expect(found == Argon2Parameters(passes: 2, memoryKiB: 20_000)) }
    if milliseconds == 1 << 40 { #expect(found == Argon2Parameters(passes: 16, memoryKiB: 24_000)) }
  }

  @Test("calibration brings odd limits into the bounds, and never goes under a minimum")
  func calibrationLimits() throws {
    #expect(try Argon2id.calibrate(target: .zero, minimumMemoryKiB: 0, maximumMemoryKiB: 0) == .floor)
    let reversed = try Argon2id.calibrate(target: .zero, minimumMemoryKiB: 30_000, maximumMemoryKiB: 20_000)
    #expect(reversed == Argon2Parameters(passes: 2, memoryKiB: 30_000))
    let passes = try Argon2id.calibrate(target: .zero, minimumMemoryKiB: 0, maximumMemoryKiB: 0, minimumPasses: 5)
    #expect(passes == Argon2Parameters(passes: 5, memoryKiB: 19_456))
  }
}
