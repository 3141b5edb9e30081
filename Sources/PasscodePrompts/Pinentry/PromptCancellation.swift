public import PasscodePlatform

/// Ends a prompt from outside; safe to share.
public final class PromptCancellation: Sendable {
  private let wake: WakePipe

  /// One that is not cancelled.
  ///
  /// - Throws: `system` with pipe(2)'s errno when no descriptor is left.
  public init() throws(PlatformError) { wake = try WakePipe() }

  /// Ends the prompt that was given this, now or as soon as it starts; a second time changes nothing.
  public func cancel() { wake.signal() }

  /// Whether it was cancelled.
  public var isCancelled: Bool { wake.isSignalled }

  /// Readable once it is cancelled.
  var raw: Int32 { wake.raw }
}
