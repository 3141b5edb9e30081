internal import PasscodeCore
internal import PasscodePlatform

/// Has one call at a time change what a way in's method keeps, and its slot with it: what is kept and the slot belong together.
///
/// A method may take seconds. Nobody who tries a passcode, reads or locks ever waits for a turn.
final class MethodTurns: Sendable {
  private struct State {
    var taken: Set<SlotKind> = []
    var removals: [SlotKind: UInt64] = [:]
  }

  private let state = Monitor(State())

  /// Waits for the turn, and runs `body`.
  func run<R>(_ kind: SlotKind, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    state.wait { (state: inout State) -> Void? in state.taken.insert(kind).inserted ? () : nil }
    defer { end(kind) }
    return try body()
  }

  /// Runs `body` unless somebody has the turn.
  func runIfFree(_ kind: SlotKind, _ body: () throws(StoreError) -> Void) throws(StoreError) {
    guard state.withLock({ $0.taken.insert(kind).inserted }) else { return }
    defer { end(kind) }
    try body()
  }

  /// How often a slot of the kind was taken away so far.
  func removals(of kind: SlotKind) -> UInt64 { state.withLock { $0.removals[kind, default: 0] } }

  /// From now on nothing that began before puts a slot of the kind back.
  func noteRemoval(of kind: SlotKind) { state.withLock { $0.removals[kind, default: 0] += 1 } }

  private func end(_ kind: SlotKind) { state.broadcast { _ = $0.taken.remove(kind) } }
}
