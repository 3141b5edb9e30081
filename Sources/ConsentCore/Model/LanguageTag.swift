/// A language, with a script and a region where they matter: `de`, `pt-BR`, `zh-Hant`.
///
/// Source: RFC 5646 (language, script and region only), RFC 4647 §3.4.
public struct LanguageTag: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Two or three letters, lower case.
  public let language: String
  /// Four letters, the first upper case.
  public let script: String?
  /// Two letters, upper case, or three digits.
  public let region: String?

  /// From a tag such as `sr-Latn-RS`, in any case; nil for anything else.
  public init?(_ tag: String) {
    var parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    guard let language = parts.first, 2...3 ~= language.utf8.count, language.utf8.allSatisfy(isLetter) else { return nil }
    parts.removeFirst()
    self.language = language.lowercased()
    if let script = parts.first, script.utf8.count == 4, script.utf8.allSatisfy(isLetter) {
      self.script = script.prefix(1).uppercased() + script.dropFirst().lowercased()
      parts.removeFirst()
    } else {
      script = nil
    }
    if let region = parts.first, Self.isRegion(region) {
      self.region = region.uppercased()
      parts.removeFirst()
    } else {
      region = nil
    }
    if !parts.isEmpty { return nil }
  }

  /// From a POSIX locale such as `de_AT.UTF-8@euro`; nil for `C`, `POSIX` and what is no locale.
  public init?(posix: String) {
    let name = posix.prefix { $0 != "." && $0 != "@" }
    self.init(String(name.map { $0 == "_" ? "-" : $0 }))
  }

  /// The tag.
  public var description: String { [language, script, region].compactMap { $0 }.joined(separator: "-") }

  /// Whether it is written from right to left.
  public var isRightToLeft: Bool {
    if let script { return ["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg"].contains(script) }
    return ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"].contains(language)
  }

  /// Order of the tags as texts.
  public static func < (a: LanguageTag, b: LanguageTag) -> Bool { a.description < b.description }

  /// The first of the known tags that suits a person: for each language of theirs, best first, exactly it, it without its
  /// region, without its script, then any region of the language in the same script. Nil where none does.
  public static func choose(from known: [LanguageTag], for preferred: [LanguageTag]) -> LanguageTag? {
    for tag in preferred {
      let sameLanguage = known.filter { $0.language == tag.language }
      let sameScript = sameLanguage.filter { $0.impliedScript == nil || $0.impliedScript == tag.impliedScript }
      let found =
        sameLanguage.first { $0 == tag }
        ?? sameLanguage.first { $0.script == tag.script && $0.region == nil }
        ?? sameScript.first { $0.region == tag.region }
        ?? sameScript.first { $0.region == nil }
        ?? (tag.impliedScript == nil ? sameLanguage.first : sameScript.first)
      if let found { return found }
    }
    return nil
  }

  /// The script, also where the region tells it: a reader of one Chinese script is not given the other.
  private var impliedScript: String? {
    if let script { return script }
    guard language == "zh", let region else { return nil }
    return ["TW", "HK", "MO"].contains(region) ? "Hant" : "Hans"
  }

  private static func isRegion(_ text: Substring) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.count == 2 && text.utf8.allSatisfy(isLetter)
      || text.utf8.count == 3 && text.utf8.allSatisfy { digits.contains($0) }
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
  default: false
  }
}
