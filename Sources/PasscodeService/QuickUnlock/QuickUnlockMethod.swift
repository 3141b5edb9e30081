internal import PasscodeCore
internal import PasscodeKeyring

/// Quick unlock's way into a store, which can be tried out before there is a slot.
protocol QuickUnlockMethod: UnlockMethod {
  /// Whether it really works now. Gives up by itself within seconds.
  ///
  /// - Throws: why it does not.
  func probe() throws(UnlockMethodFault)
}

extension KeyringMethod: QuickUnlockMethod {}
