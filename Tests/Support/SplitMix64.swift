internal import Glibc

/// A seeded generator: the same seed, the same sequence.
///
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  /// What it was started with.
  public let seed: UInt64
  private var state: UInt64

  /// The sequence of `seed`.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The sequence of `$PASSCODE_TEST_SEED`, else of a random seed, which is printed so that a failure can be repeated.
  public static func announced(_ test: String = #function) -> SplitMix64 {
    let given = unsafe getenv("PASSCODE_TEST_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    let generator = SplitMix64(seed: given ?? UInt64.random(in: .min ... .max))
    print("\(test): PASSCODE_TEST_SEED=\(generator.seed)")
    return generator
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
