internal import PasscodeCore
internal import PasscodeStore

/// What can be done with the store now.
enum StoreSituation: Equatable, Sendable {
  /// There is none.
  case absent
  /// Something is there that can't be used, and why.
  case unusable(StoreError)
  /// It needs a way in.
  case locked
  /// The passcode was right but has to be changed.
  case mustChange(MustChangeReason)
  /// Credentials can be read and written.
  case unlocked

  init(_ condition: StoreCondition) {
    self =
      switch condition {
      case .locked: .locked
      case .mustChange(let reason): .mustChange(reason)
      case .unlocked: .unlocked
      }
  }
}
