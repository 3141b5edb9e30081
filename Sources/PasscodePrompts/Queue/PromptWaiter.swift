internal import Glibc
internal import PasscodePlatform
internal import Synchronization

/// One who waits for a prompt: what would be shown for him, and what he is given.
final class PromptWaiter<Outcome: Sendable>: Sendable {
  typealias Delivery = Result<PromptShare<Outcome>, PromptQueueError>
  typealias Cancellation = Result<PromptCancellation, PromptQueueError>

  let show: @Sendable (PromptCancellation) -> PromptTurn<Outcome>
  private let wake: WakePipe
  private let delivered = Mutex<Delivery?>(nil)

  init(_ show: @escaping @Sendable (PromptCancellation) -> PromptTurn<Outcome>) throws(PlatformError) {
    wake = try WakePipe()
    self.show = show
  }

  static func newCancellation() -> Cancellation {
    do {
      return .success(try PromptCancellation())
    } catch {
      return .failure(.system(error))
    }
  }

  /// What he was given, if anything yet.
  var delivery: PromptShare<Outcome>? {
    get throws(PromptQueueError) { try delivered.withLock { $0 }?.get() }
  }

  func deliver(_ delivery: Delivery) {
    delivered.withLock { $0 = delivery }
    wake.signal()
  }

  /// Waits until something is delivered.
  ///
  /// - Returns: false where the peer of the socket `client` went away before.
  func wait(whilePeerOf client: Int32?) -> Bool {
    // Linux, poll(2): the peer closed its end, or at least the half that it writes to. Not in the C library's plain headers.
    let peerClosed: Int16 = 0x2000
    var entries = [
      pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: client ?? -1, events: peerClosed, revents: 0),
    ]
    _ = Waiting.wait(&entries)
    return entries[0].revents != 0
  }
}
