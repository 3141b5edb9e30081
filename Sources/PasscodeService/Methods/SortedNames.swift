internal import PasscodeWire
internal import SecretMemory

/// Some names in byte order: the store keeps them in an order of its own, so that its file gives none away.
///
/// Bounded, whatever the store holds: what does not fit is left to a later pass, from the last name of this one on.
///
/// Secrets: names lie in locked memory, wiped when this ends.
struct SortedNames: ~Copyable {
  /// The most bytes of names that are held at a time.
  static let maximumByteCount = 1 << 20
  /// Up to here no place among the large messages is needed.
  static let smallByteCount = 32 << 10

  private var bytes: SecretBytes
  /// Where each name lies, in the order of its coming, then of the names.
  private var places: [Range<Int32>] = []
  /// No name after this one is held; it is the last of the kept ones.
  private var last: Int?
  /// True where names were left to a later pass.
  private(set) var isPartial = false

  /// - Throws: `lockedMemoryExhausted`.
  init() throws(SecretMemoryError) { bytes = try SecretBytes(capacity: LockedMemory.slotByteCount) }

  var count: Int { places.count }
  var capacity: Int { bytes.capacity }

  /// The name at `index`, in order once ``sort()`` was called.
  subscript(index: Int) -> Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.bytes.extracting(Int(places[index].lowerBound)..<Int(places[index].upperBound)) }
  }

  /// Takes a name in.
  ///
  /// - Returns: false where there is no room; ``makeRoom()``, or ``grow()``, and try again.
  mutating func add(_ name: Span<UInt8>) -> Bool {
    if let last, !Self.precedes(name, self[last]) {
      isPartial = true
      return true
    }
    guard name.count <= bytes.capacity - bytes.count else { return false }
    let start = Int32(bytes.count)
    guard (try? bytes.append(contentsOf: name)) != nil else { return false }
    places.append(start..<Int32(bytes.count))
    return true
  }

  /// Forgets the names that came after the first `count`.
  mutating func rollBack(to count: Int) {
    let end = count == 0 ? 0 : Int(places[count - 1].upperBound)
    places.removeSubrange(count...)
    bytes.truncate(to: end)
  }

  /// Gives the names more memory.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  mutating func grow() throws(SecretMemoryError) {
    var larger = try SecretBytes(capacity: min(Self.maximumByteCount, bytes.capacity * 8))
    try larger.append(contentsOf: bytes.bytes)
    bytes = larger
  }

  /// Leaves the later half of the names to another pass.
  mutating func makeRoom() throws(SecretMemoryError) {
    sort()
    var kept = try SecretBytes(capacity: bytes.capacity)
    var keptPlaces: [Range<Int32>] = []
    for index in 0..<(count + 1) / 2 {
      let start = Int32(kept.count)
      try kept.append(contentsOf: self[index])
      keptPlaces.append(start..<Int32(kept.count))
    }
    bytes = kept
    places = keptPlaces
    last = keptPlaces.count - 1
    isPartial = true
  }

  /// Puts the names in byte order. O(n log n).
  mutating func sort() {
    let order = Self.sorted(places, in: bytes.bytes)
    places = order
  }

  private static func sorted(_ places: [Range<Int32>], in names: Span<UInt8>) -> [Range<Int32>] {
    places.sorted { a, b in
      precedes(
        names.extracting(Int(a.lowerBound)..<Int(a.upperBound)), names.extracting(Int(b.lowerBound)..<Int(b.upperBound)))
    }
  }

  static func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] }
    return a.count < b.count
  }
}
