internal import CZxcvbn
public import PasscodeCore
internal import SecretMemory

/// `strength`: how many guesses somebody who knows people's habits would need, by libzxcvbn.
///
/// The score is zxcvbn's: 0 under 10³ guesses, 1 under 10⁶, 2 under 10⁸, 3 under 10¹⁰, 4 from there on. Only the first 100
/// bytes are looked at. libzxcvbn knows words and keyboards of ASCII alone and takes every other byte for a random one: a
/// word in another script is overrated, by some 6 bits a byte.
///
/// Secrets: libzxcvbn wants a NUL at the end, so that the candidate is copied within locked memory and wiped after.
public struct StrengthValidator: PasscodeStrengthMeter {
  /// How much of a candidate is looked at, in bytes: the work grows with the square.
  public static let maximumByteCount = 100
  /// `strength`
  public let id = "strength"
  /// The lowest score that is accepted.
  public let minimumScore: Int

  /// A validator that wants at least this score, 0 to 4.
  public init(minimumScore: Int) { self.minimumScore = minimumScore }

  /// What is listed.
  public var requirement: String? { "hard enough to guess: strength \(minimumScore) of 4" }

  /// The estimate; `nil` where locked memory ran out.
  public func measure(_ candidate: Span<UInt8>) -> PasscodeStrength? {
    let count = min(candidate.count, Self.maximumByteCount)
    guard var text = try? SecretBytes(capacity: count + 1) else { return nil }
    let copied = (try? text.append(contentsOf: candidate.extracting(first: count))) != nil
    guard copied, (try? text.append(0)) != nil else { return nil }
    let bytes = text.bytes
    let bits = unsafe bytes.withUnsafeBufferPointer { bytes in
      // SAFETY: the bytes end with a NUL; the call keeps no pointer.
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe ZxcvbnMatch($0.baseAddress, nil, nil) }
    }
    return PasscodeStrength(score: Self.score(bits: bits), bits: bits)
  }

  /// Accepts an estimate from ``minimumScore`` on.
  ///
  /// - Throws: a rejection that names both scores.
  public func validate(_ strength: PasscodeStrength?) throws(PasscodeRejection) {
    guard let strength else { throw PasscodeRejection("its strength could not be judged: out of locked memory") }
    if strength.score >= minimumScore { return }
    throw PasscodeRejection("too easy to guess: strength \(strength.score) of 4, at least \(minimumScore) is needed")
  }

  /// log₂ of 10³, 10⁶, 10⁸ and 10¹⁰.
  static func score(bits: Double) -> Int { [9.97, 19.93, 26.58, 33.22].count { bits >= $0 } }
}
