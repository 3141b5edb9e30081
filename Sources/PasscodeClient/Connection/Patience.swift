internal import PasscodeWire

/// How long a client waits for a daemon that sends nothing, before it takes it for hung.
enum Patience {
  /// For what is answered at once; also for the first answer on any connection.
  static let quick = Duration.seconds(10)
  /// For what waits for calls that are under way, or for the disk.
  static let short = Duration.seconds(60)
  /// For what may wait for derivations, those of others too, or for the OS keyring.
  static let derivation = Duration.seconds(180)
  /// For what may wait for a person: other prompts come first, and a wrong passcode brings one back.
  static let person = Duration.seconds(1800)

  /// For the reply to a call that asks nobody; of `monitor`, for the first one.
  static func waiting(for method: WireMethod) -> Duration {
    switch method {
    case .getInfo, .getInterfaceDescription, .status, .policy, .listResets, .cancelFlow, .monitor: quick
    case .show, .list, .find, .rename, .delete, .history, .restore, .setAttributes: quick
    case .listForms, .read, .answer, .sign, .withdraw, .records, .verifyRecord: short
    case .lock, .stop, .diagnose, .report, .put, .get: short
    case .check, .verify, .unlock, .startFlow, .enterPasscode, .answerQuickUnlock, .restart: derivation
    case .inspect, .export: derivation
    case .enableQuickUnlock, .disableQuickUnlock, .createRecoveryKey, .revokeRecoveryKey, .reset, .undoReset: derivation
    }
  }
}
