/// What the helper process `passcode-logind` tells the daemon: one byte each on its standard output.
///
/// After ``sleeps`` the daemon answers with one byte, whatever it is, when it has locked; only then the machine sleeps, unless
/// that takes longer than systemd-logind waits. The end of either's input ends the helper.
package enum LoginEvent: UInt8, Sendable {
  /// It watches, and logind waits for us before the machine sleeps.
  case watches = 0x57  // W
  /// It watches; logind does not wait.
  case watchesOnly = 0x77  // w
  /// The machine is about to sleep.
  case sleeps = 0x53  // S
  /// A session of this user was locked.
  case sessionLocked = 0x4C  // L
  /// The last login session of this user has ended.
  case lastSessionEnded = 0x45  // E
  /// There is a login session of this user: when the helper began, or after there was none.
  case sessionBegan = 0x42  // B
  /// There was none when the helper began.
  case noSession = 0x4E  // N
  /// Nothing has happened for a while.
  case alive = 0x2E  // .

  /// How long the helper says nothing before it says ``alive``.
  package static let heartbeatMilliseconds: UInt32 = 10_000
}

/// Why the helper ended: its exit code.
package enum LoginWatchEnd: Int32, Sendable {
  /// The daemon has ended, or does not want to know any more.
  case orderly = 0
  /// There is no system bus.
  case noBus = 10
  /// systemd-logind is not on the bus.
  case noLogind = 11
  /// The bus or logind has gone, or does not answer.
  case lost = 12
  /// Another process can look into the helper.
  case exposed = 13
}
