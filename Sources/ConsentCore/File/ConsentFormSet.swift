/// The forms in force, in the order in which they are asked.
public struct ConsentFormSet: Hashable, Sendable {
  /// The most forms.
  public static let maximumCount = 100

  /// The forms: the administrator's before the user's, then by their order, then by id.
  public let forms: [ConsentForm]
  /// The user's forms that have an id of the administrator's, and so are not in force.
  public let shadowed: [ConsentFormID]

  /// Brings the forms of both folders together; the administrator's ids win.
  ///
  /// - Throws: the id that one of the folders has twice.
  public init(administrator: [ConsentForm], user: [ConsentForm]) throws(DoubledFormID) {
    for folder in [administrator, user] {
      var seen: Set<ConsentFormID> = []
      for form in folder where !seen.insert(form.id).inserted { throw DoubledFormID(id: form.id) }
    }
    let taken = Set(administrator.map(\.id))
    forms = Self.ordered(administrator) + Self.ordered(user.filter { !taken.contains($0.id) })
    shadowed = user.map(\.id).filter { taken.contains($0) }.sorted()
  }

  /// No forms.
  public static let empty = ConsentFormSet()

  private init() { (forms, shadowed) = ([], []) }

  /// The form with this id.
  public subscript(id: ConsentFormID) -> ConsentForm? { forms.first { $0.id == id } }

  private static func ordered(_ forms: [ConsentForm]) -> [ConsentForm] {
    forms.sorted { ($0.order, $0.id) < ($1.order, $1.id) }
  }
}

/// One folder has two forms with the same id.
public struct DoubledFormID: Error, Equatable, Sendable {
  /// The id.
  public let id: ConsentFormID
}
