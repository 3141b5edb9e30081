internal import ConsentCore
internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire

/// What the person reads, and what the clock on their wall shows.
struct Surroundings {
  let environment: ProcessEnvironment

  init(_ environment: ProcessEnvironment = .current()) { self.environment = environment }

  /// The languages, best first, as BCP 47 tags.
  ///
  /// `LANGUAGE` counts only where the locale is not `C`.
  ///
  /// Source: POSIX.1-2024 §8.2; GNU gettext, "The LANGUAGE variable".
  var languages: [LanguageTag] {
    let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]
    guard let tag = locale.flatMap({ LanguageTag(posix: $0) }) else { return [] }
    let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { LanguageTag(posix: String($0)) }
    return list.isEmpty ? [tag] : list
  }

  /// The name of the time zone, such as `Europe/Zurich`; nil where there is none.
  var zone: String? {
    if let name = environment["TZ"] {
      let plain = name.hasPrefix(":") ? String(name.dropFirst()) : name
      return Self.isZone(plain) ? plain : nil
    }
    guard let target = try? Files.linkTarget(of: "/etc/localtime") else { return nil }
    let parts = target.split(separator: "/")
    guard let start = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[(start + 1)...].joined(separator: "/")
    return Self.isZone(name) ? name : nil
  }

  /// Whether the name is one of the time zone database, and not a rule such as `CET-1CEST` or a path.
  private static func isZone(_ name: String) -> Bool {
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty, !name.hasPrefix("/"), name.utf8.count <= 64 else { return false }
    return (try? Files.status(of: "/usr/share/zoneinfo/" + name))?.kind == .file
  }

  /// How far the wall's clock is ahead of UTC now, in seconds.
  var utcOffset: Int {
    var now = Glibc.time(nil)
    var parts = unsafe tm()
    return unsafe localtime_r(&now, &parts) == nil ? 0 : unsafe parts.tm_gmtoff
  }

  /// Now, on the wall's clock.
  var instant: ZonedInstant {
    let seconds = Int64(Glibc.time(nil))
    return ZonedInstant(seconds: seconds, offset: utcOffset, zone: zone ?? "UTC") ?? ZonedInstant(seconds: 0)!
  }

  /// An answer that is given here and now.
  func occasion(_ means: WireConsentMeans) -> AnswerOccasion {
    AnswerOccasion(means, zone: zone, utcOffset: utcOffset)
  }
}

extension Surroundings {
  /// A path as a person types it: `~/` is their home.
  func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment.absolutePath("HOME") else { return path }
    return home + path.dropFirst()
  }
}
