internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory
internal import Synchronization

/// Makes a store with many credentials, fast: 64 threads put through `CredentialStore`, so that one commit takes what all of them
/// have waiting. The rows are those that single puts would have written.
///
/// `fill-store STORE COUNT SECRETBYTES MEMORYMIB PASSCODE` makes the store at STORE, whose passcode derives with MEMORYMIB and two
/// passes; its credentials are `work/00000/00`, `work/00000/01`, … (a hundred a folder), each with the attribute `number` and a
/// secret of SECRETBYTES. The passcode is no secret here: it opens a throw-away store.
@main enum Main {
  private static let threads = 64

  static func main() {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(2).prefix(3).compactMap { Int($0) }
    guard arguments.count == 6, numbers.count == 3, let count = numbers.first else {
      fail("usage: fill-store STORE COUNT SECRETBYTES MEMORYMIB PASSCODE", code: 64)
    }
    guard let derivation = Argon2Parameters(passes: 2, memoryKiB: UInt32(clamping: numbers[2] * 1024)) else {
      fail("\(numbers[2]) MiB are out of bounds", code: 64)
    }
    do {
      let store = try makeStore(at: arguments[1], passcode: arguments[5], derivation)
      let filled = fill(store, count: count, secretByteCount: numbers[1])
      try store.close()
      guard filled else { fail("a put failed", code: 70) }
    } catch { fail("\(error)", code: 70) }
  }

  private static func makeStore(
    at path: String, passcode: String, _ derivation: Argon2Parameters
  ) throws -> CredentialStore {
    let bytes = Array(passcode.utf8)
    return try CredentialStore.create(
      at: path, passcode: try SecretBytes(copying: bytes.span), engine: try PolicyEngine(policy: .default),
      options: StoreOptions(derivation: derivation))
  }

  /// Puts credentials 0 to `count`, each thread every 64th of them.
  private static func fill(_ store: CredentialStore, count: Int, secretByteCount: Int) -> Bool {
    let progress = Monitor(Progress())
    let secret = [UInt8](repeating: 0x73, count: secretByteCount)
    for first in 0..<threads {
      let isStarted = startThread {
        var isWhole = true
        do throws(StoreError) {
          for number in stride(from: first, to: count, by: threads) { try put(number, secret, in: store) }
        } catch { isWhole = false }
        let result = isWhole
        progress.signal { $0.ended(isWhole: result) }
      }
      guard isStarted else { return false }
    }
    return progress.wait { $0.running == 0 ? $0.isWhole : nil }
  }

  private static func put(_ number: Int, _ secret: [UInt8], in store: CredentialStore) throws(StoreError) {
    let digits = padded(number)
    let name = Array("work/\(digits.dropLast(2))/\(digits.suffix(2))".utf8)
    _ = try store.put(
      name.span, secret: secret.span, PutOptions(attributes: [AttributePair(key: "number", value: digits)]))
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  private struct Progress: Sendable {
    var running = Main.threads
    var isWhole = true

    mutating func ended(isWhole: Bool) {
      running -= 1
      self.isWhole = self.isWhole && isWhole
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    let line = Array("fill-store: \(message)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    exit(code)
  }
}
