internal import PasscodePlatform

/// Work on a thread of its own, whose result is waited for.
public final class Background<Result: Sendable>: Sendable {
  private let result = Monitor<Result?>(nil)

  /// Starts `body`.
  public init(_ body: @escaping @Sendable () -> Result) {
    let result = result
    let isStarted = startThread(stackBytes: 1 << 20) {
      let value = body()
      result.broadcast { $0 = value }
    }
    precondition(isStarted, "no room for a thread")
  }

  /// Waits for the result.
  public func value() -> Result { result.wait { $0 } }

  /// The result, or nil while the work goes on.
  public var finished: Result? { result.withLock { $0 } }
}
