/// What one client may take of the daemon, and how long the daemon waits for it.
public struct ServiceLimits: Sendable {
  /// The most connections at a time; where there are as many, one that is idle gives way to the next one.
  public var connections = 1200
  /// How many more are taken in where none is idle. Only what is quick is answered on them.
  public var reservedConnections = 16
  /// How many of them keep their buffer while they are idle: beyond, it goes back to the pool and costs a call more.
  public var keptBuffers = 192
  /// How many messages over 4 KiB may be in memory at a time.
  public var largeMessages = 2
  /// How many replies may be in memory at a time; further ones wait for their turn.
  public var replies = 400
  /// From the first byte of a message to its last. An idle connection may stay.
  public var receiving = Duration.seconds(30)
  /// How long the rest of a message that can't be taken is read, to be dropped.
  public var dropping = Duration.seconds(5)
  /// Between two steps of a flow, which holds a passcode or the proof of one.
  public var flowStep = Duration.seconds(600)
  /// For a whole reply to be taken.
  public var sending = Duration.seconds(30)
  /// How long locking waits for replies to go out that were written before.
  public var clearing = Duration.seconds(1)
  /// How long a prompt may stay without an answer.
  public var prompt = Duration.seconds(120)
  /// How many calls may wait for a prompt.
  public var promptWaiters = 256
  /// How long running calls are waited for when the daemon stops.
  public var stopping = Duration.seconds(10)

  /// The limits of the daemon.
  public init() {}
}
