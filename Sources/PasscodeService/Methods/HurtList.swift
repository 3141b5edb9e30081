internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// What an inspection has found to be hurt: so much of it as a reply names.
///
/// Secrets: names lie in locked memory, wiped when this ends.
struct HurtList: ~Copyable {
  private struct Entry {
    let version: Int64
    let isCurrent: Bool
    let harm: Harm
    let intactVersion: Int64?
    let name: Range<Int>?
  }

  /// The most bytes of names.
  private static let maximumByteCount = 64 << 10

  private var names: SecretBytes
  private var entries: [Entry] = []
  /// How many there are, named or not.
  private(set) var count = 0

  /// - Throws: `lockedMemoryExhausted`.
  init() throws(SecretMemoryError) { names = try SecretBytes(capacity: LockedMemory.slotByteCount) }

  /// Takes a value in where it is hurt.
  mutating func add(_ value: borrowing InspectedValue) {
    guard let harm = value.harm else { return }
    count += 1
    guard entries.count < WireLimits.maximumHurtCount else { return }
    var range: Range<Int>?
    switch value.name {
    case .some(let name): range = keep(name.bytes)
    case .none: break
    }
    entries.append(
      Entry(
        version: value.version, isCurrent: value.isCurrent, harm: harm, intactVersion: value.intactVersion, name: range))
  }

  /// Nil where there is no room: it is told without its name.
  private mutating func keep(_ name: Span<UInt8>) -> Range<Int>? {
    let start = names.count
    if name.count > names.capacity - start {
      guard names.capacity < Self.maximumByteCount, var larger = try? SecretBytes(capacity: Self.maximumByteCount),
        (try? larger.append(contentsOf: names.bytes)) != nil
      else { return nil }
      names = larger
    }
    return (try? names.append(contentsOf: name)) == nil ? nil : start..<names.count
  }

  /// Whether a reply with it is short.
  var isShort: Bool { entries.count <= 8 && names.count <= 1024 }

  func write(into reply: inout MessageWriter) {
    reply.array(.hurt) { reply in
      for entry in entries {
        reply.element { reply in
          if let range = entry.name { reply.string(.name, names.bytes.extracting(range)) }
          reply.integer(.version, Int(entry.version))
          reply.bool(.isCurrent, entry.isCurrent)
          reply.word(.harm, WireHarm(entry.harm))
          reply.integer(.intactVersion, entry.intactVersion.map { Int($0) })
        }
      }
    }
    reply.integer(.hurtCount, count)
  }
}

extension WireHarm {
  init(_ harm: Harm) {
    self =
      switch harm {
      case .unreadable: .unreadable
      case .secretUnreadable: .secretUnreadable
      case .misplaced: .misplaced
      case .stray: .stray
      case .replayed: .replayed
      case .unlisted: .unlisted
      }
  }
}
