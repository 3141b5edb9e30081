import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

struct KeyringMessageTests {
  @Test("A request's bytes are version, verb, store id and big-endian generation")
  func layout() {
    let store = StoreID(unchecked: Array(0..<16))
    let request = KeyringMessage.Request(.load, store: store, generation: 0x0102_0304_0506_0708)
    #expect(request.bytes == [1, 2] + Array(0..<16) + [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test(
    "Every request is read back as it was written, and its secret stands behind it", arguments: KeyringMessage.Verb.allCases)
  func roundTrip(verb: KeyringMessage.Verb) throws {
    var random = SplitMix64.announced()
    for _ in 0..<1_000 {
      let store = StoreID(unchecked: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
      let request = KeyringMessage.Request(verb, store: store, generation: random.next())
      let secret = try SecretBytes(copying: (verb == .store ? [UInt8](repeating: 7, count: 32) : []).span)
      let message = try request.encoded(with: secret)
      #expect(KeyringMessage.Request(message.bytes) == request)
      let isBehind = constantTimeEqual(KeyringMessage.secret(of: message.bytes), secret.bytes)
      #expect(isBehind)
    }
  }

  @Test("What is shorter, longer, of another version or of an unknown verb is no request")
  func refused() {
    let whole = KeyringMessage.Request(.probe).bytes
    #expect(isRequest(whole))
    for count in 0..<whole.count { #expect(!isRequest(Array(whole.prefix(count)))) }
    #expect(!isRequest(whole + [0]))
    #expect(!isRequest([2] + whole.dropFirst()))
    #expect(!isRequest([1, 4] + whole.dropFirst(2)))
    let storing = [1, 1] + whole.dropFirst(2)
    #expect(!isRequest(storing))
    #expect(!isRequest(storing + [UInt8](repeating: 0, count: 31)))
    #expect(isRequest(storing + [UInt8](repeating: 0, count: 32)))
  }

  private func isRequest(_ bytes: [UInt8]) -> Bool { KeyringMessage.Request(bytes.span) != nil }

  private func status(_ reply: [UInt8], to verb: KeyringMessage.Verb) -> KeyringMessage.Status? {
    KeyringMessage.status(of: reply.span, to: verb)
  }

  @Test("A reply with a secret answers a successful load and nothing else")
  func replies() {
    let secret = [UInt8](repeating: 7, count: 32)
    for verb in KeyringMessage.Verb.allCases {
      for status in KeyringMessage.Status.allCases {
        let hasSecret = verb == .load && status == .done
        #expect(self.status([status.rawValue], to: verb) == (hasSecret ? nil : status))
        #expect(self.status([status.rawValue] + secret, to: verb) == (hasSecret ? status : nil))
      }
      #expect(status([], to: verb) == nil)
      #expect(status([12], to: verb) == nil)
    }
  }

  @Test("Each obstacle has words of its own, and the sentence leads to the passcode")
  func words() {
    let obstacles: [KeyringObstacle] = [
      .absent, .otherStore, .olderGeneration, .newerGeneration, .foreign, .locked, .wouldAsk, .noDefaultKeyring, .noBus,
      .noService, .tooSlow, .noHelper, .failed, .system(.timedOut), .secretMemory(.allocationFailed), .shareAbsent,
      .shareForeign, .shareRefused(.noThread), .shareFailed(.noThread),
    ]
    #expect(Set(obstacles.map(\.reason)).count == obstacles.count)
    for obstacle in obstacles {
      #expect(obstacle.text.hasSuffix("; use your passcode.") && obstacle.text.first?.isUppercase == true)
    }
  }
}
