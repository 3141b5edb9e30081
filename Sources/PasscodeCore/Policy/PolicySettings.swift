/// What happens when the wrong tries reach the limit.
public enum RetryLimitAction: String, Sendable, CaseIterable {
  /// From then on every wait is the longest one.
  case lockOut
  /// The store is wiped; nothing is set aside.
  case wipe
}

/// What an accepted passcode that is below today's policy leads to.
public enum TightenedPolicyAction: String, Sendable, CaseIterable {
  /// It must be changed at the next unlock.
  case requireChange
  /// A warning.
  case warn
}

/// The growing wait after wrong tries.
public struct LockOutSettings: Sendable, Equatable {
  /// The number of wrong tries that brings the first wait, from 1.
  public var afterTries = 5
  /// The first wait, in seconds.
  public var firstSeconds = 30
  /// By how much each further wrong try multiplies the wait, from 1.
  public var factor = 2
  /// The longest wait, in seconds.
  public var maxSeconds = 3600

  /// The default settings.
  public init() {}
}

/// When quick unlock asks for the passcode again.
public struct QuickUnlockSettings: Sendable, Equatable {
  /// Hours after which the passcode is asked for again, from 1.
  public var maxAgeHours = 168
  /// Whether it is asked for after each start of the machine.
  public var passcodeAfterReboot = true
  /// Whether each quick unlock is confirmed through a prompt.
  public var confirm = false

  /// The default settings.
  public init() {}
}

/// How the passcode's derivation is calibrated.
public struct KeyDerivationSettings: Sendable, Equatable {
  /// How long one derivation should take, in milliseconds.
  public var targetMilliseconds = 500
  /// The least memory, in MiB, 19 to 1,024.
  public var minMemoryMiB = 64
  /// The most memory, in MiB, ``minMemoryMiB`` to 1,024.
  public var maxMemoryMiB = 256

  /// The default settings.
  public init() {}
}

/// The audit log's size.
public struct AuditSettings: Sendable, Equatable {
  /// The most that it may take, in MiB.
  public var maxMiB = 16

  /// The default settings.
  public init() {}
}

/// What consent gates, and how it is asked for.
public struct ConsentSettings: Sendable, Equatable {
  /// The gates of each form, by the form's id, in byte order of the ids.
  public var gates: [GatedForm] = []
  /// Days until a deferred form is asked again.
  public var askAgainDays = 30
  /// How often a form may be deferred.
  public var maxDeferrals = 3
  /// The administrator's executable that takes each receipt, by its absolute path.
  public var depositCommand: String?

  /// The default settings.
  public init() {}
}

/// A consent form, and what it gates.
public struct GatedForm: Sendable, Equatable {
  /// The form's id.
  public var form: String
  /// `create`, `unlock`, or prefixes of names (`work/`).
  public var gates: [String]

  /// A form and what it gates.
  public init(form: String, gates: [String]) {
    self.form = form
    self.gates = gates
  }
}
