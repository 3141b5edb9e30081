internal import Glibc
internal import PasscodePlatform
internal import PasscodeStore
internal import Synchronization

/// Tells the service manager what state the store is in, and that the daemon is alive.
///
/// It is told so only after each lock that requests take was free within the time: a daemon that is stuck is restarted. Nobody waits
/// for a manager that does not read: what it does not take is told later, in order.
final class ManagerReport: Sendable {
  private let manager: ServiceManager
  private let log: ServiceLog
  private let hasFailed = Atomic(false)
  /// What the manager has not taken yet.
  private let untold = Monitor<[[ServiceManager.Notice]]>([])

  /// - Returns: nil where no manager wants to know.
  init?(_ manager: ServiceManager?, log: ServiceLog) {
    guard let manager else { return nil }
    self.manager = manager
    self.log = log
  }

  /// The daemon serves: the manager is told, and from then on of each change, until the board stops.
  ///
  /// - Parameter isAlive: returns when the locks that the service does not have itself could be taken.
  /// - Returns: false where the system has no room for a thread.
  func start(_ service: Service, isAlive: @escaping @Sendable () -> Void) -> Bool {
    tell(.ready, .status("starting"))
    return startThread { [self] in follow(service, isAlive) }
  }

  /// The policy files are being read; ``ready()`` follows.
  func reloading() { tell(.reloading) }

  /// The daemon serves again.
  func ready() { tell(.ready) }

  /// The daemon has begun to end.
  func stopping() { tell(.stopping, .status("stopping")) }

  private func follow(_ service: Service, _ isAlive: () -> Void) {
    // Half of the limit, as sd_watchdog_enabled(3) advises; where nobody waits, an hour is as good as never.
    let interval = manager.watchdogLimit.map { $0 / 2 } ?? .seconds(3600)
    var seen = service.board.generation
    tell(.status(Self.words(for: service.situation)))
    var lastWord = Deadline(interval)
    while true {
      let pause = retry() ? lastWord.remaining ?? interval : .seconds(1)
      switch service.board.wait(after: seen, within: pause) {
      case .stopped: return
      case .changed(let generation):
        seen = generation
        tell(.status(Self.words(for: service.situation)))
      case .nothing: break
      }
      guard lastWord.isOver else { continue }
      isAlive()
      _ = service.keeper.locksAt
      service.holder.withOpenStore { _ = $0.condition }
      if manager.watchdogLimit != nil { tell(.watchdog) }
      lastWord = Deadline(interval)
    }
  }

  private func tell(_ notices: ServiceManager.Notice...) {
    untold.withLock { untold in
      // Of what is told again and again the last word is enough.
      untold.removeAll { earlier in earlier.allSatisfy { notice in notices.contains { $0.replaces(notice) } } }
      untold.append(notices)
    }
    _ = retry()
  }

  /// Tells what has not been told.
  ///
  /// - Returns: false where the manager does not take it at the moment.
  private func retry() -> Bool {
    untold.withLock { untold in
      while let notices = untold.first {
        do throws(PlatformError) { try manager.tell(notices) } catch {
          if error.errno == EAGAIN { return false }
          // Once: it would be the same line every few seconds.
          if !hasFailed.exchange(true, ordering: .relaxed) { log.note(.managerFault("\(error)")) }
        }
        untold.removeFirst()
      }
      return true
    }
  }

  private static func words(for situation: StoreSituation) -> String {
    switch situation {
    case .absent: "there is no store"
    case .unusable: "the store can't be used"
    case .locked: "locked"
    case .mustChange: "unlocked; the passcode has to be changed"
    case .unlocked: "unlocked"
    }
  }
}

extension ServiceManager.Notice {
  /// Whether an earlier notice says nothing more once there is this one.
  fileprivate func replaces(_ earlier: Self) -> Bool {
    switch (self, earlier) {
    case (.status, .status), (.watchdog, .watchdog): true
    default: false
    }
  }
}
