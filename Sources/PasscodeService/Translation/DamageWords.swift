internal import PasscodeCore

/// What of an open store is not as it was sealed, each in words.
enum DamageWords {
  static func list(_ damage: StoreDamage) -> [String] {
    damage.findings.sorted { $0.key.rawValue < $1.key.rawValue }.map { text($0.key, $0.value) }
  }

  private static func text(_ part: StorePart, _ finding: StoreDamage.Finding) -> String {
    let (one, many) = nouns(part)
    return switch finding {
    case .missing(1): "1 \(one) is missing"
    case .missing(let count): "\(count) \(many) are missing"
    case .surplus(1): "there is 1 \(one) too many"
    case .surplus(let count): "there are \(count) \(many) too many"
    case .changed: "\(many) were changed, or put back to what they were before"
    case .unreadable: "\(many) can't be read"
    }
  }

  private static func nouns(_ part: StorePart) -> (one: String, many: String) {
    switch part {
    case .record: ("credential", "credentials")
    case .version: ("earlier value", "earlier values")
    case .lookup: ("entry of a folder or an attribute", "entries of folders or attributes")
    case .history: ("list of earlier passcodes", "earlier passcodes")
    default: ("part of the file", "parts of the file")
    }
  }
}
