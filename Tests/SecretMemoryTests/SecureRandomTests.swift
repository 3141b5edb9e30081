import SecretMemory
import Testing

@Suite("Randomness")
struct SecureRandomTests {
  @Test("each call gives other bytes, as many as asked for", arguments: [0, 1, 16, 32, 1000])
  func bytes(count: Int) {
    let (one, other) = (SecureRandom.bytes(count), SecureRandom.bytes(count))
    #expect(one.count == count && other.count == count)
    if count >= 16 { #expect(one != other) }
  }

  @Test("filling overwrites all bytes in place and none beside them")
  func fill() throws {
    var secret = try secret([UInt8](repeating: 0, count: 512), capacity: 600)
    var view = secret.mutableBytes
    SecureRandom.fill(&view)
    let (bytes, isZero) = (array(secret.bytes), isTailZero(&secret))
    // 512 random bytes without 100 different values among them do not happen.
    #expect(Set(bytes).count > 100 && Set(bytes.suffix(64)).count > 20 && isZero)
  }

  @Test("numbers stay below their bound and reach all of it", arguments: [1, 2, 3, 10] as [UInt32])
  func uniform(bound: UInt32) {
    let seen = Set((0..<500).map { _ in SecureRandom.uniform(below: bound) })
    #expect(seen == Set(0..<bound))
  }

  @Test("there is no number below 0")
  func noNumber() async {
    await #expect(processExitsWith: .failure) { _ = SecureRandom.uniform(below: 0) }
  }
}
