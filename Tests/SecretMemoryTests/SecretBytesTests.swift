import SecretMemory
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
  static let canary: [UInt8] = Array("a canary in locked memory 0123456789".utf8)

  @Test("what is appended is lent out again, in order")
  func append() throws {
    var secret = try SecretBytes(capacity: 6)
    let isEmpty = secret.isEmpty
    #expect(isEmpty)
    try secret.append(1)
    let (three, none): ([UInt8], [UInt8]) = ([2, 3, 4], [])
    try secret.append(contentsOf: three.span)
    try secret.append(contentsOf: none.span)
    let (count, capacity, bytes) = (secret.count, secret.capacity, array(secret.bytes))
    #expect(count == 4 && capacity == 6 && bytes == [1, 2, 3, 4])
  }

  @Test("a secret that is full refuses more and keeps what it has", arguments: [0, 1, 4095, 4096, 4097, 10_000])
  func full(capacity: Int) throws {
    let bytes = [UInt8](repeating: 7, count: capacity)
    var secret = try SecretBytes(copying: bytes.span)
    #expect(failure { () throws(SecretMemoryError) in try secret.append(8) } == .tooLong(limit: capacity))
    let more: [UInt8] = [8, 9]
    let two = failure { () throws(SecretMemoryError) in try secret.append(contentsOf: more.span) }
    #expect(two == .tooLong(limit: capacity))
    let kept = array(secret.bytes)
    #expect(kept == bytes)
  }

  @Test("the largest secret fits, one byte more is refused before anything is taken")
  func maximum() throws {
    let limit = SecretBytes.maximumCapacity
    #expect(failure { () throws(SecretMemoryError) in _ = try SecretBytes(capacity: limit + 1) } == .tooLong(limit: limit))
    #expect(failure { () throws(SecretMemoryError) in _ = try SecretBytes(capacity: .max) } == .tooLong(limit: limit))
  }

  @Test("truncating wipes what is cut off")
  func truncate() throws {
    var secret = try secret(Self.canary)
    let start = address(secret)
    secret.truncate(to: 5)
    let left = memory(at: start, count: Self.canary.count)
    #expect(left == Array(Self.canary[..<5]) + [UInt8](repeating: 0, count: Self.canary.count - 5))
  }

  @Test("removing everything wipes everything")
  func removeAll() throws {
    var secret = try secret(Self.canary, capacity: 5000)
    let start = address(secret)
    secret.removeAll()
    let (count, left) = (secret.count, memory(at: start, count: 5000))
    #expect(count == 0 && left.allSatisfy { $0 == 0 })
  }

  @Test("removing from the front moves the rest and wipes where it was")
  func removeFirst() throws {
    var secret = try secret(Self.canary)
    let start = address(secret)
    secret.removeFirst(10)
    let left = memory(at: start, count: Self.canary.count)
    #expect(left == Array(Self.canary[10...]) + [UInt8](repeating: 0, count: 10))
  }

  @Test("when a secret has gone, its memory holds nothing of it")
  func goneIsWiped() throws {
    var start: UInt = 0
    do {
      let secret = try secret(Self.canary)
      start = address(secret)
      #expect(pieces(of: Self.canary, in: memory(at: start, count: 4096)) > 0)
    }
    // Another test may own the slot by now, but it does not hold this canary.
    #expect(pieces(of: Self.canary, in: memory(at: start, count: 4096)) == 0)
  }

  @Test("memory is zero when it is handed out, however it was used before", arguments: [4096, 8192])
  func reuse(capacity: Int) throws {
    for _ in 0..<40 {
      var fresh = try SecretBytes(capacity: capacity)
      let isZero = isTailZero(&fresh)
      #expect(isZero)
      unsafe fresh.withFreeSpace { space in
        for index in space.indices { unsafe space[index] = 0xa5 }
        return 100
      }
    }
  }

  @Test("free space takes what the body fills, and nothing where it throws")
  func freeSpace() throws {
    struct Stop: Error {}
    var secret = try secret([1, 2], capacity: 8)
    let filled = unsafe secret.withFreeSpace { space in
      unsafe space[0] = 3
      return space.count == 6 ? 1 : 0
    }
    #expect(filled == 1)
    #expect(throws: Stop.self) {
      unsafe try secret.withFreeSpace { (space) throws(Stop) -> Int in
        for index in space.indices { unsafe space[index] = 9 }
        throw Stop()
      }
    }
    let (bytes, isZero) = (array(secret.bytes), isTailZero(&secret))
    #expect(bytes == [1, 2, 3] && isZero)
  }

  @Test("bytes can be changed in place")
  func mutableBytes() throws {
    var secret = try secret([1, 2, 3])
    var view = secret.mutableBytes
    view[1] = 9
    let bytes = array(secret.bytes)
    #expect(bytes == [1, 9, 3])
  }

  @Test("a copy is equal and independent")
  func copy() throws {
    let original = try secret(Self.canary, capacity: 100)
    var copy = try original.copy()
    let (wasEqual, capacity) = (SecretBytes.isEqual(original, copy), copy.capacity)
    #expect(wasEqual && capacity == Self.canary.count)
    copy.truncate(to: 1)
    let (isEqual, count) = (SecretBytes.isEqual(original, copy), original.count)
    #expect(!isEqual && count == Self.canary.count)
  }

  @Test("two byte strings are equal only where all bytes are", arguments: [1, 2, 31, 32, 33, 100])
  func equality(count: Int) {
    var random = Seeded("equality")
    let bytes = random.bytes(count)
    #expect(isEqual(bytes, bytes))
    #expect(!isEqual(bytes, Array(bytes.dropLast())))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1 << UInt8(index % 8)
      #expect(!isEqual(bytes, other))
    }
    #expect(isEqual([], []) && !isEqual([], bytes))
  }

  @Test("any sequence of changes gives what an array would hold, with zeros behind it", arguments: [50, 5000])
  func model(capacity: Int) throws {
    var random = Seeded("secret bytes against an array")
    var secret = try SecretBytes(capacity: capacity)
    var model: [UInt8] = []
    for _ in 0..<500 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0...1:
        let more = random.bytes(Int.random(in: 0...capacity / 4, using: &random))
        let error = failure { () throws(SecretMemoryError) in try secret.append(contentsOf: more.span) }
        #expect((error == nil) == (model.count + more.count <= capacity))
        if error == nil { model += more }
      case 2:
        if failure({ () throws(SecretMemoryError) in try secret.append(5) }) == nil { model.append(5) }
      case 3:
        let count = Int.random(in: 0...model.count, using: &random)
        secret.truncate(to: count)
        model.removeSubrange(count...)
      default:
        let count = Int.random(in: 0...model.count, using: &random)
        secret.removeFirst(count)
        model.removeFirst(count)
      }
      let (bytes, isZero) = (array(secret.bytes), isTailZero(&secret))
      #expect(bytes == model && isZero)
    }
  }

  @Test("counts out of range trap")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      var secret = try SecretBytes(capacity: 4); secret.truncate(to: 1)
    }
    await #expect(processExitsWith: .failure) {
      var secret = try SecretBytes(capacity: 4); secret.removeFirst(1)
    }
    await #expect(processExitsWith: .failure) { _ = try SecretBytes(capacity: -1) }
    await #expect(processExitsWith: .failure) {
      var secret = try SecretBytes(capacity: 4)
      unsafe secret.withFreeSpace { _ in 5 }
    }
  }
}
