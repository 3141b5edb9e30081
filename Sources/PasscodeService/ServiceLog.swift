internal import PasscodePlatform
internal import StrictJSON

/// Where the daemon says what happened: one line for each event, never anything of a request.
public struct ServiceLog: Sendable {
  private let write: @Sendable (String) -> Void

  /// A log that hands each line, without its newline, to `write`.
  ///
  /// - Parameter write: called from any thread.
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// The log on descriptor 2. A line that can't be written is lost; the daemon goes on.
  public static let standardError = ServiceLog { line in
    let text = Array("passcoded: \(line)\n".utf8)
    try? StandardError.write(text.span)
  }

  /// Notes an event. Whatever a path or an argument holds, it is one line, and no terminal obeys it.
  public func note(_ event: ServiceEvent) { write(event.description.shown) }

  /// Notes an event that any client can bring about, unless there were too many of them in this minute.
  func note(_ event: ServiceEvent, within budget: LogBudget) {
    switch budget.spend() {
    case .noted: note(event)
    case .lastNoted:
      note(event)
      note(.leftOut)
    case .leftOut: break
    }
  }
}

/// Something that the daemon's log tells.
public enum ServiceEvent: Sendable, CustomStringConvertible {
  /// It does not start, and why.
  case refused(String)
  /// It serves.
  case started(version: String, socket: String, store: String)
  /// It has begun to end, and why.
  case stopping(String)
  /// It has locked and ends.
  case stopped
  /// The store is open for use.
  case unlocked
  /// The store is locked now, and why.
  case locked(LockCause)
  /// A store was made.
  case created
  /// The passcode was changed.
  case passcodeChanged
  /// Quick unlock was turned on.
  case quickUnlockOn
  /// Quick unlock was turned off.
  case quickUnlockOff
  /// A key of quick unlock may be left in the OS keyring, and why. It opens nothing.
  case quickUnlockKeyLeft(String)
  /// A person could not be asked, and why.
  case promptFault(String)
  /// A recovery key was made.
  case recoveryKeyMade
  /// The recovery key opens nothing any more.
  case recoveryKeyRevoked
  case exported(Int)
  /// The store was set aside or erased.
  case reset
  /// A store that was set aside is back.
  case resetUndone
  /// The policy files were read again.
  case policyRead
  /// A policy file is faulty: where and how. A policy file holds no secret.
  case policyFault(String)
  /// A form's file is faulty: where and how.
  case consentFault(String)
  /// Answers could not be signed, or nothing in their record counts, and why.
  case recordFault(String)
  /// The record of consent was set aside and begun anew: where the faulty one lies.
  case recordRestarted(String)
  /// A receipt was not taken by whoever keeps them, and why.
  case depositFault(String)
  /// The store can't be used, and why.
  case storeFault(String)
  /// What is left of a reset store could not be looked through.
  case cleanUpFault(String)
  /// Somebody else's process connected and was turned away.
  case foreignPeer(uid: UInt32)
  /// There are as many connections as there may be; one was turned away.
  case tooManyConnections(limit: Int)
  /// No connection can be taken, and why.
  case acceptFault(String)
  /// A connection was closed because of what came in on it: the rule that was broken.
  case connectionClosed(String)
  /// Further lines about connections are left out for a while.
  case leftOut
  /// The service manager that started the daemon can't be told how it gets on.
  case managerFault(String)
  /// What is heard of the login sessions, in words.
  case loginWatch(String)
  /// The system does not let the daemon lock its memory.
  case memoryNotLocked

  /// The event as one line.
  public var description: String {
    switch self {
    case .refused(let cause): cause
    case .started(let version, let socket, let store): "version \(version) serves \(store) on \(socket)"
    case .stopping(let cause): "stopping: \(cause)"
    case .stopped: "stopped"
    case .unlocked: "unlocked"
    case .locked(let cause): "locked: \(cause.rawValue)"
    case .created: "store created"
    case .passcodeChanged: "passcode changed"
    case .quickUnlockOn: "quick unlock turned on"
    case .quickUnlockOff: "quick unlock turned off"
    case .quickUnlockKeyLeft(let reason): "a key of quick unlock may be left in the keyring: \(reason)"
    case .promptFault(let fault): "nobody could be asked: \(fault)"
    case .recoveryKeyMade: "recovery key made"
    case .recoveryKeyRevoked: "recovery key revoked"
    case .exported(let count): "credentials taken out with the passcode: \(count)"
    case .reset: "store reset"
    case .resetUndone: "reset undone"
    case .policyRead: "policy files read"
    case .policyFault(let fault): "policy file: \(fault)"
    case .consentFault(let fault): "consent form: \(fault)"
    case .recordFault(let fault): "record of consent: \(fault)"
    case .recordRestarted(let path): "record of consent begun anew; the faulty one is kept in \(path)"
    case .depositFault(let fault): "receipt of consent: \(fault)"
    case .storeFault(let fault): "store: \(fault)"
    case .cleanUpFault(let fault): "stores that were set aside: \(fault)"
    case .foreignPeer(let uid): "refused a connection of another user (uid \(uid))"
    case .tooManyConnections(let limit): "refused a connection: there are \(limit) already"
    case .acceptFault(let fault): "can't take a connection: \(fault)"
    case .connectionClosed(let rule): "closed a connection: \(rule)"
    case .leftOut: "more lines about connections are left out for a minute"
    case .managerFault(let fault): "the service manager can't be told: \(fault)"
    case .loginWatch(let words): "login sessions: \(words)"
    case .memoryNotLocked: "the system does not let this process lock its memory; secrets could reach the swap space"
    }
  }
}

/// Why the store was locked.
public enum LockCause: String, Sendable {
  /// A client asked for it.
  case asked = "asked for"
  /// SIGUSR1: a screen locker or a script asked for it.
  case signal = "SIGUSR1"
  /// The machine is about to sleep.
  case suspending = "the machine is about to sleep"
  /// A session's screen was locked.
  case screenLocked = "the screen was locked"
  /// The user has logged out everywhere.
  case sessionEnded = "the last login session has ended"
  /// The machine has slept, and nothing was heard of it before.
  case slept = "the machine has slept"
  /// Nobody used it for as long as the policy says, or it was open as long as it may be.
  case timedOut = "time is up"
  /// A consent that it takes is not there any more.
  case consentMissing = "consent is missing"
  /// The daemon ends.
  case stopping = "stopping"
  /// Another file has taken the store's place.
  case replaced = "the store's file was replaced, or is gone"
  /// The store has erased itself.
  case wiped = "the store has erased itself"
}
