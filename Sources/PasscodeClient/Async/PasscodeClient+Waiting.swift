internal import PasscodePlatform
internal import PasscodeWire

extension PasscodeClient {
  /// The secret of one credential; where the store is locked, once somebody has unlocked it.
  ///
  /// - Parameters:
  ///   - name: its name, within the scope.
  ///   - version: an earlier value; nil is the value now.
  ///   - limit: how long to wait for that; nil waits without end.
  /// - Throws: `daemon(.locked)` when the time is up; else as `get(_:version:)`.
  public func getOnceUnlocked(
    _ name: String, version: Int? = nil, within limit: Duration? = nil
  ) throws(ClientError) -> CredentialSecret {
    let end = limit.map { ContinuousClock.now + $0 }
    while true {
      do {
        return try get(name, version: version)
      } catch .daemon(.locked) {
        try waitUntilUnlocked(before: end)
      }
    }
  }

  /// The secret of one credential, once the store is unlocked, see `getOnceUnlocked(_:version:within:)`. Ends with
  /// `daemon(.locked)` when its task is cancelled.
  public func getOnceUnlocked(_ name: String, version: Int? = nil) async throws(ClientError) -> CredentialSecret {
    while true {
      do throws(ClientError) {
        return try await get(name, version: version)
      } catch .daemon(.locked) {
        var states = states.makeAsyncIterator()
        var isUnlocked = false
        while !isUnlocked {
          guard let change = try await states.next() else { throw .daemon(.locked) }
          isUnlocked = change.state == .unlocked
        }
      }
    }
  }

  private func waitUntilUnlocked(before end: ContinuousClock.Instant?) throws(ClientError) {
    let watch = try StateWatch(connection)
    while true {
      let left = end.map { max(.zero, $0 - ContinuousClock.now) }
      guard try watch.waitForNext(within: left) else { throw .daemon(.locked) }
      if try watch.next().state == .unlocked { return }
    }
  }
}
