/// A moment, and the clock on the wall where it was.
public struct ZonedInstant: Hashable, Sendable {
  /// The latest moment: the end of the year 9999.
  static let latest: Int64 = 253_402_300_799

  /// Seconds since 1970-01-01 00:00 UTC.
  public let seconds: Int64
  /// How far the wall clock was ahead of UTC, in seconds.
  public let offset: Int
  /// The name of the zone, such as `Europe/Berlin`.
  public let zone: String

  /// Nil where the moment is not in the years 1970 to 9999, or the offset is more than 18 hours.
  public init?(seconds: Int64, offset: Int = 0, zone: String = "UTC") {
    guard 0...Self.latest ~= seconds, -18 * 3600...18 * 3600 ~= offset else { return nil }
    self.seconds = seconds
    self.offset = offset
    self.zone = zone
  }

  /// `2026-02-11T13:05:09Z`: the moment in UTC.
  ///
  /// Source: RFC 3339.
  public var utc: String { DatePattern.utc.text(ZonedInstant(seconds: seconds)!) }

  /// Year, month, day, hour, minute and second on the wall clock.
  var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let local = Int(seconds) + offset
    let days = local >= 0 ? local / 86400 : (local - 86399) / 86400
    let second = local - days * 86400
    // The days are counted from 1 March 0000, so that the leap day is the last of its year.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, second / 3600,
      second / 60 % 60, second % 60
    )
  }
}

/// How a date is written: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `ZZZ` (`+01:00`) stand for its parts, and everything
/// else but letters, or what is within apostrophes, for itself.
public struct DatePattern: Hashable, Sendable {
  /// `2026-02-11`
  public static let date = DatePattern("yyyy-MM-dd")!
  /// `2026-02-11T13:05:09Z`
  static let utc = DatePattern("yyyy-MM-dd'T'HH:mm:ss'Z'")!

  /// The pattern.
  public let source: String
  private let parts: [Part]

  private enum Part: Hashable { case year, month, day, hour, minute, second, zone, literal(String) }

  /// Nil for a pattern with other letters, an open apostrophe, no part of a date, or more than 64 bytes.
  public init?(_ source: String) {
    guard source.utf8.count <= 64, let parts = Self.parts(of: source) else { return nil }
    self.source = source
    self.parts = parts
  }

  private static func parts(of source: String) -> [Part]? {
    let fields: [(String, Part)] = [
      ("yyyy", .year), ("MM", .month), ("dd", .day), ("HH", .hour), ("mm", .minute), ("ss", .second), ("ZZZ", .zone),
    ]
    var parts: [Part] = []
    var rest = source[...]
    while let first = rest.first {
      if first == "'" {
        guard let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
        parts.append(.literal(String(rest[rest.index(after: rest.startIndex)..<end])))
        rest = rest[rest.index(after: end)...]
      } else if let (text, part) = fields.first(where: { rest.hasPrefix($0.0) }) {
        parts.append(part)
        rest = rest.dropFirst(text.count)
      } else if first.isASCII, first.isLetter {
        return nil
      } else {
        parts.append(.literal(String(first)))
        rest = rest.dropFirst()
      }
    }
    return parts.contains { if case .literal = $0 { false } else { true } } ? parts : nil
  }

  /// The moment, written so.
  public func text(_ instant: ZonedInstant) -> String {
    let civil = instant.civil
    return parts.map { part in
      switch part {
      case .year: Self.digits(civil.year, 4)
      case .month: Self.digits(civil.month, 2)
      case .day: Self.digits(civil.day, 2)
      case .hour: Self.digits(civil.hour, 2)
      case .minute: Self.digits(civil.minute, 2)
      case .second: Self.digits(civil.second, 2)
      case .zone:
        (instant.offset < 0 ? "-" : "+") + Self.digits(abs(instant.offset) / 3600, 2) + ":"
          + Self.digits(abs(instant.offset) / 60 % 60, 2)
      case .literal(let text): text
      }
    }.joined()
  }

  private static func digits(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
