internal import CSodium
internal import Glibc

/// What a derivation costs. Stored with every slot that is derived from a passcode.
///
/// Invariant: within [19 MiB, 2 passes] and [1 GiB, 16 passes]: less is no protection (OWASP's floor), more is an attack on
/// the machine that opens the file.
public struct Argon2Parameters: Hashable, Sendable {
  /// How often the memory is passed over.
  public let passes: UInt32
  /// Working memory in KiB.
  public let memoryKiB: UInt32

  /// The allowed numbers of passes.
  public static let passesBounds: ClosedRange<UInt32> = 2...16
  /// The allowed memory, in KiB.
  public static let memoryBounds: ClosedRange<UInt32> = 19 * 1024...1024 * 1024
  /// The cheapest allowed parameters.
  public static let floor = Argon2Parameters(passes: 2, memoryKiB: 19 * 1024)!

  /// Nil where a value is out of bounds: parameters from a file are tested here before anything is spent on them.
  public init?(passes: UInt32, memoryKiB: UInt32) {
    guard Self.passesBounds.contains(passes), Self.memoryBounds.contains(memoryKiB) else { return nil }
    self.passes = passes
    self.memoryKiB = memoryKiB
  }
}

/// Argon2id version 1.3 with one lane: from a passcode to a key.
///
/// Source: RFC 9106; libsodium's crypto_pwhash, which fixes the lanes at one.
public enum Argon2id {
  /// Length of a salt, in bytes.
  public static let saltByteCount = 16

  /// Derives the key of a passcode. Takes as long and as much memory as the parameters say, on the calling thread.
  ///
  /// - Parameters:
  ///   - passcode: normalised text; the caller wipes it.
  ///   - salt: 16 bytes.
  ///   - parameters: passes and memory.
  /// - Throws: `invalidLength` for a salt that is not 16 bytes long; `derivationOutOfMemory` where the machine can't give
  ///   the working memory: never to be taken for a wrong passcode; `allocationFailed` where it can't give the key's page.
  ///
  /// Secrets: the working memory can't be locked and may reach the swap; it holds no piece of the passcode itself.
  public static func derive<P: KeyPurpose>(
    _ passcode: Span<UInt8>, salt: Span<UInt8>, parameters: Argon2Parameters, for _: P.Type = P.self
  ) throws(SecretMemoryError) -> SymmetricKey<P> {
    guard salt.count == saltByteCount else { throw .invalidLength }
    defer { Sodium.clearStack(Sodium.derivationDepth) }
    var result: Int32 = -1
    let key = unsafe try SymmetricKey<P> { bytes in
      result = unsafe passcode.withUnsafeBufferPointer { text in
        unsafe salt.withUnsafeBufferPointer { salt in
          var none: CChar = 0
          // SAFETY: all ranges are in bounds; an empty passcode needs some pointer that is not read.
          return unsafe text.withMemoryRebound(to: CChar.self) { text in
            unsafe withUnsafePointer(to: &none) { none in
              unsafe crypto_pwhash(
                bytes, UInt64(SymmetricKey<P>.byteCount), text.baseAddress ?? none, UInt64(text.count), salt.baseAddress!,
                UInt64(parameters.passes), Int(parameters.memoryKiB) * 1024, crypto_pwhash_ALG_ARGON2ID13)
            }
          }
        }
      }
    }
    // crypto_pwhash fails for no other reason once its arguments are in range.
    guard result == 0 else { throw .derivationOutOfMemory }
    return key
  }

  /// The parameters that come close to `target` on this machine without going under the minimum.
  ///
  /// Memory first, by doubling, then passes: memory is what costs an attacker. The minimum is timed, as the fastest of three runs,
  /// because a loaded machine would otherwise weaken the key for ever; the rest follows from it, for the time grows with memory and
  /// passes alike. Takes three derivations at the minimum.
  ///
  /// - Parameters:
  ///   - target: how long one derivation may take.
  ///   - minimumMemoryKiB: never less memory than this; brought into the bounds of ``Argon2Parameters``.
  ///   - maximumMemoryKiB: never more memory than this, as long as that is not under the minimum.
  ///   - minimumPasses: never fewer passes than this; brought into the bounds too.
  /// - Throws: `derivationOutOfMemory` where even the minimum can't be had; `allocationFailed`.
  public static func calibrate(
    target: Duration, minimumMemoryKiB: UInt32, maximumMemoryKiB: UInt32, minimumPasses: UInt32 = 2
  ) throws(SecretMemoryError) -> Argon2Parameters {
    let memoryBounds = Argon2Parameters.memoryBounds
    let passesBounds = Argon2Parameters.passesBounds
    let minimum = min(max(minimumMemoryKiB, memoryBounds.lowerBound), memoryBounds.upperBound)
    let maximum = min(max(maximumMemoryKiB, minimum), memoryBounds.upperBound)
    let fewest = min(max(minimumPasses, passesBounds.lowerBound), passesBounds.upperBound)
    let timeAtMinimum = try fastest(Argon2Parameters(passes: fewest, memoryKiB: minimum)!)
    var memory = minimum
    var time = timeAtMinimum
    // A machine that can't give more memory gets more passes instead.
    while memory < maximum, time * 2 <= target, isAvailable(min(memory * 2, maximum)) {
      memory = min(memory * 2, maximum)
      time = timeAtMinimum * (Double(memory) / Double(minimum))
    }
    // The time grows with the passes. Bounded before it is made an integer: a target may be any duration.
    let affordable = target / max(time, .microseconds(1)) * Double(fewest)
    let passes = UInt32(min(max(affordable, Double(fewest)), Double(passesBounds.upperBound)))
    return Argon2Parameters(passes: passes, memoryKiB: memory)!
  }

  private enum Calibration: KeyPurpose { static let label: StaticString = "passcoded/v1/calibration" }

  private static func fastest(_ parameters: Argon2Parameters) throws(SecretMemoryError) -> Duration {
    var best = Duration.seconds(1 << 20)
    for _ in 0..<3 {
      let start = monotonicNow()
      let salt = [UInt8](repeating: 0, count: saltByteCount)
      _ = try derive(salt.span, salt: salt.span, parameters: parameters, for: Calibration.self)
      best = min(best, monotonicNow() - start)
    }
    return best
  }

  /// Whether the kernel gives this much memory, as libsodium asks for it. Nothing is written to it.
  private static func isAvailable(_ memoryKiB: UInt32) -> Bool {
    let byteCount = Int(memoryKiB) * 1024
    // SAFETY: a fresh anonymous mapping, given back here.
    let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return false }
    unsafe munmap(pages, byteCount)
    return true
  }

  private static func monotonicNow() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
