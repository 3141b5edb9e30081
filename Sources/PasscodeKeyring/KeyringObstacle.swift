public import PasscodePlatform
public import SecretMemory

/// Why a quick unlock's key can't be had, stored or removed: each leaves the passcode as the way in, and none costs a try.
public enum KeyringObstacle: Error, Equatable, Sendable {
  /// The OS keyring has no item of this store.
  case absent
  /// It has none of this store, but one of another.
  case otherStore
  /// Its item is of an earlier generation: quick unlock was renewed without it, or somebody put it back.
  case olderGeneration
  /// Its item is of a later generation: a renewal broke off before the store had its slot, or the store's file is an older copy.
  case newerGeneration
  /// Its item holds something else: another program replaced it.
  case foreign
  /// The OS keyring is locked.
  case locked
  /// The keyring's service wants to ask the user first.
  case wouldAsk
  /// The service has no default keyring.
  case noDefaultKeyring
  /// There is no session bus.
  case noBus
  /// Nothing on the bus is a keyring.
  case noService
  /// No answer within the limit.
  case tooSlow
  /// The helper process is not installed.
  case noHelper
  /// The helper process ended without an answer, or the service refused for a reason of its own.
  case failed
  /// The helper process could not be started.
  case system(PlatformError)
  /// No locked memory for the key.
  case secretMemory(SecretMemoryError)
  /// The kernel's keyring has no share of this store: the machine was started anew.
  case shareAbsent
  /// The share holds something else.
  case shareForeign
  /// The kernel's keyring may not be used here, as in many containers.
  case shareRefused(SyscallError)
  /// A call on the kernel's keyring failed otherwise, as where the user's quota is used up.
  case shareFailed(SyscallError)

  /// What is the matter, to stand behind a colon: no capital, no full stop.
  public var reason: String {
    switch self {
    case .absent: "the keyring holds no key of this store"
    case .otherStore: "the keyring holds the key of another store, none of this one"
    case .olderGeneration:
      "the keyring's key and this store's quick unlock do not belong together: the key is older; the passcode puts it right"
    case .newerGeneration:
      "the keyring's key and this store's quick unlock do not belong together: the key is newer, as after a renewal that broke "
        + "off or in an older copy of the file; the passcode puts it right"
    case .foreign: "another program has replaced the key in the keyring"
    case .locked: "the keyring is locked"
    case .wouldAsk: "the keyring wants to ask you something first"
    case .noDefaultKeyring: "there is no default keyring yet"
    case .noBus: "there is no session bus (D-Bus), so no keyring can be reached"
    case .noService: "no keyring service (such as gnome-keyring) runs in this session"
    case .tooSlow: "the keyring did not answer in time"
    case .noHelper: "the program passcode-keyring is not installed beside this one"
    case .failed: "the keyring refused"
    case .system(let error): "the keyring's helper could not be started (\(error))"
    case .secretMemory: "no locked memory is left"
    case .shareAbsent: "the passcode is asked for once after each start of the machine"
    case .shareForeign: "another program has replaced the share in the kernel's keyring"
    case .shareRefused(let error): "the kernel's keyring may not be used here (\(error))"
    case .shareFailed(let error): "the kernel's keyring failed (\(error))"
    }
  }

  /// The sentence for a person who wanted to unlock.
  public var text: String { reason.prefix(1).uppercased() + reason.dropFirst() + "; use your passcode." }
}

extension KeyringObstacle: CustomStringConvertible {
  /// As ``reason``.
  public var description: String { reason }
}

extension KeyringObstacle {
  /// What a run of the helper that gave no reply means.
  init(_ error: PlatformError) {
    switch error {
    case .timedOut: self = .tooSlow
    case .tooLong: self = .failed
    case .secretMemory(let error): self = .secretMemory(error)
    default: self = .system(error)
    }
  }

  /// What the helper's answer means; nil where it did what it was asked.
  init?(_ status: KeyringMessage.Status) {
    switch status {
    case .done: return nil
    case .absent: self = .absent
    case .otherStore: self = .otherStore
    case .older: self = .olderGeneration
    case .newer: self = .newerGeneration
    case .foreign: self = .foreign
    case .locked: self = .locked
    case .wouldAsk: self = .wouldAsk
    case .noCollection: self = .noDefaultKeyring
    case .noBus: self = .noBus
    case .noService: self = .noService
    case .failed: self = .failed
    }
  }
}
