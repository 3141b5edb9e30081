/// What the passcode policy says of wrong tries.
public struct AttemptPolicy: Equatable, Sendable {
  /// Wrong tries allowed; nil for no limit.
  public var retryLimit: Int?
  /// What happens from the limit on: true destroys the store, false makes every wait the longest.
  public var wipesAtLimit: Bool
  /// The try from which on there is a wait; at least 1.
  public var afterTries: Int
  /// The first wait, in seconds.
  public var firstSeconds: Int
  /// How much longer each further wait is.
  public var factor: Double
  /// The longest wait, in seconds.
  public var maxSeconds: Int

  /// A policy with these values.
  public init(
    retryLimit: Int?, wipesAtLimit: Bool = false, afterTries: Int = 5, firstSeconds: Int = 30, factor: Double = 2,
    maxSeconds: Int = 3600
  ) {
    self.retryLimit = retryLimit
    self.wipesAtLimit = wipesAtLimit
    self.afterTries = afterTries
    self.firstSeconds = firstSeconds
    self.factor = factor
    self.maxSeconds = maxSeconds
  }

  /// How long to wait after this many wrong tries, in milliseconds.
  public func waitMilliseconds(afterFailures failures: UInt32) -> UInt64 {
    guard failures > 0 else { return 0 }
    if let retryLimit, Int(failures) >= retryLimit { return longestMilliseconds }
    guard Int(failures) >= afterTries else { return 0 }
    let longest = Double(longestMilliseconds)
    var wait = Double(max(0, firstSeconds)) * 1000
    for _ in 0..<min(Int(failures) - afterTries, 64) where wait < longest { wait *= factor }
    return UInt64(min(max(0, wait), longest))
  }

  /// Never more than a century, whatever a policy made in code says.
  var longestMilliseconds: UInt64 { UInt64(min(max(0, maxSeconds), 3_155_760_000)) * 1000 }

  /// Tries left after this many wrong ones; nil for no limit.
  public func triesRemaining(afterFailures failures: UInt32) -> Int? {
    retryLimit.map { max(0, $0 - Int(failures)) }
  }
}

extension AttemptPolicy {
  /// What a passcode policy says of wrong tries.
  public init(_ policy: PasscodePolicy) {
    self.init(
      retryLimit: policy.retryLimit > 0 ? policy.retryLimit : nil, wipesAtLimit: policy.onRetryLimit == .wipe,
      afterTries: max(1, policy.lockOut.afterTries), firstSeconds: policy.lockOut.firstSeconds,
      factor: Double(policy.lockOut.factor), maxSeconds: policy.lockOut.maxSeconds)
  }
}
