/// `minCharacterGroups`: how many of the four classes must be there.
struct CharacterGroupsRule: PolicyRule {
  let id = "minCharacterGroups"
  let minimum: Int

  var text: String {
    switch minimum {
    case 1: "a digit, a letter with upper or lower case, or a special character"
    case 4: "digits, upper-case letters, lower-case letters and special characters"
    default: "\(minimum) of these: digits, upper-case letters, lower-case letters, special characters"
    }
  }

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { facts.groupCount >= minimum }
}
