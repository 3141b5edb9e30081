import PasscodeCore
import Testing

@testable import PasscodeValidators

@Suite("strength") struct StrengthValidatorTests {
  @Test(
    "the scores are cut at 10³, 10⁶, 10⁸ and 10¹⁰ guesses",
    arguments: [
      (0.0, 0), (9.96, 0), (9.97, 1), (19.92, 1), (19.93, 2), (26.57, 2), (26.58, 3), (33.21, 3), (33.22, 4), (400, 4),
    ])
  func cuts(bits: Double, score: Int) { #expect(StrengthValidator.score(bits: bits) == score) }

  @Test("what is easy to guess scores low, what is not scores high") func order() throws {
    func score(_ text: String) -> Int { StrengthValidator(minimumScore: 3).measure(text.utf8Span.span)?.score ?? -1 }
    #expect(score("") == 0)
    #expect(score("password") == 0)
    #expect(score("11111111") <= 1)
    #expect(score("qwertyuiop") <= 1)
    #expect(score("correct horse battery staple") == 4)
    #expect(score("w7$Kq!2mZx") == 4)
  }

  @Test("a candidate is accepted from the lowest score on; the message names both") func threshold() throws {
    let text = "correct horse battery staple"
    for minimum in 0...4 { #expect(try rejection(of: text, by: StrengthValidator(minimumScore: minimum)) == nil) }
    #expect(try rejection(of: "password", by: StrengthValidator(minimumScore: 0)) == nil)
    #expect(
      try rejection(of: "password", by: StrengthValidator(minimumScore: 1))?.message
        == "too easy to guess: strength 0 of 4, at least 1 is needed")
  }

  @Test("without locked memory nothing is accepted") func unmeasured() {
    #expect(throws: PasscodeRejection.self) { try StrengthValidator(minimumScore: 0).validate(nil as PasscodeStrength?) }
  }

  @Test("SC-25: an estimator sees 100 bytes of the longest candidate, so that its work is bounded") func bounded() {
    let validator = StrengthValidator(minimumScore: 3)
    // Many overlapping words, repeats and keyboard walks: what makes the estimator work hardest.
    for piece in ["password", "aaab", "qwertyasdf", "19871987", "l33tl3et"] {
      let long = Array(String(repeating: piece, count: 256).utf8.prefix(1024))
      let cut = long.span.extracting(first: StrengthValidator.maximumByteCount)
      #expect(validator.measure(long.span) == validator.measure(cut))
    }
  }
}
