/// The name that was probably meant, for "did you mean …".
///
/// Letters dropped, added, changed or swapped with their neighbour count one each; upper and lower case are the same.
///
/// - Parameters:
///   - name: what was written; more than 64 characters are nobody's slip.
///   - names: the known names; of two that are equally near, the first is taken.
/// - Returns: the nearest name within two edits, or a third of its length where that is more, as long as at least half of it
///   is kept; `nil` if there is none.
/// - Complexity: O(`names.count` · *n*²) for names of *n* characters.
public func nearestName(to name: String, among names: [String]) -> String? {
  let written = Array(name.lowercased().unicodeScalars)
  if written.count > 64 { return nil }
  var nearest: (name: String, distance: Int)?
  for candidate in names {
    let known = Array(candidate.lowercased().unicodeScalars)
    let longer = max(known.count, written.count)
    let limit = min(max(2, known.count / 3), longer / 2)
    if abs(known.count - written.count) > limit { continue }
    let distance = editDistance(written, known)
    if distance <= limit, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
  }
  return nearest?.name
}

/// Damerau and Levenshtein's distance, with each place edited at most once.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
