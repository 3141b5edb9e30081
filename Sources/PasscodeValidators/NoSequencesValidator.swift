public import PasscodeCore

/// `noSequences`: no run of characters that follow each other longer than ``maximum``.
///
/// A run is one character repeated (`aaaa`), neighbours in code order (`abcd`, `4321`, `гдеж`), or neighbours in a row of a
/// QWERTY, QWERTZ or AZERTY keyboard (`qwer`, `7890`), in either direction; ASCII's upper and lower case are the same.
public struct NoSequencesValidator: PasscodeValidationDelegate {
  /// `noSequences`
  public let id = "noSequences"
  /// The longest run that is accepted, in characters.
  public let maximum: Int
  /// What is listed.
  public var requirement: String? { "no more than \(maximum) in a row, as in 1234, aaaa or qwer" }

  /// A validator that accepts runs of up to `maximum` characters.
  public init(maximum: Int) { self.maximum = maximum }

  /// Accepts what has no longer run.
  ///
  /// - Throws: a rejection.
  /// - Complexity: O(*n*).
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    guard let text = try? UTF8Span(validating: candidate) else { throw PasscodeRejection("not valid text") }
    var clusters = text.makeCharacterIterator()
    var runs = Runs()
    var previous = 0..<0
    while clusters.skipForward() > 0 {
      let cluster = previous.upperBound..<clusters.currentCodeUnitOffset
      let isRepeated = isEqual(candidate.extracting(previous), candidate.extracting(cluster))
      if runs.extend(with: Self.scalar(candidate.extracting(cluster)), isRepeated: isRepeated) > maximum {
        throw PasscodeRejection("more than \(maximum) in a row, as in 1234, aaaa or qwer")
      }
      previous = cluster
    }
  }

  private func isEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    a.count == b.count && PasscodeValidators.contains(a, b)
  }

  /// The scalar of a cluster that has only one, with ASCII in lower case; else 0.
  private static func scalar(_ cluster: Span<UInt8>) -> UInt32 {
    if cluster.count == 1 { return UInt32(lowercased(cluster[0])) }
    guard let text = try? UTF8Span(validating: cluster) else { return 0 }
    var scalars = text.makeUnicodeScalarIterator()
    guard let first = scalars.next(), scalars.next() == nil else { return 0 }
    return first.value
  }
}

/// The runs that end at the place reached, one for each kind.
private struct Runs {
  private static let rows = [
    "abcdefghijklmnopqrstuvwxyz", "0123456789", "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm",
    "azertyuiop", "qsdfghjklm", "wxcvbn",
  ]
  /// For each row the place of each ASCII byte; -1 for none.
  private static let places = rows.map { row in
    var places = [Int](repeating: -1, count: 128)
    for (place, byte) in row.utf8.enumerated() { places[Int(byte)] = place }
    return places
  }

  private var previous: UInt32 = 0
  private var repeated = 1
  private var rising = [Int](repeating: 1, count: rows.count + 1)
  private var falling = [Int](repeating: 1, count: rows.count + 1)

  /// Takes the next character.
  ///
  /// - Returns: the longest run that ends with it.
  mutating func extend(with scalar: UInt32, isRepeated: Bool) -> Int {
    repeated = isRepeated || (scalar == previous && scalar != 0) ? repeated + 1 : 1
    var longest = repeated
    for row in rising.indices {
      let step = Self.step(from: previous, to: scalar, in: row)
      rising[row] = step == 1 ? rising[row] + 1 : 1
      falling[row] = step == -1 ? falling[row] + 1 : 1
      longest = max(longest, rising[row], falling[row])
    }
    previous = scalar
    return longest
  }

  /// The last "row" is the code order beyond ASCII.
  private static func step(from a: UInt32, to b: UInt32, in row: Int) -> Int {
    if row == rows.count { return a > 127 && b > 127 ? Int(b) - Int(a) : 0 }
    if a > 127 || b > 127 { return 0 }
    let first = places[row][Int(a)]
    let second = places[row][Int(b)]
    return first < 0 || second < 0 ? 0 : second - first
  }
}
