internal import PasscodeCore
internal import PasscodeWire

/// What of the store each method needs. The whole table stands here; nothing else decides what is permitted now.
enum RequestGate {
  /// What has to be there.
  enum Need: CaseIterable, Sendable {
    /// Nothing: it is answered in every state.
    case nothing
    /// No store, so that one can be put in its place.
    case emptyPlace
    /// A store, locked or not.
    case store
    /// A store that is open for use.
    case openStore
  }

  /// What a method needs. What a flow needs is asked for when it starts; its steps are asked of the flow.
  static func need(of method: WireMethod) -> Need {
    switch method {
    case .getInfo, .getInterfaceDescription, .status, .policy, .diagnose, .report, .check, .lock, .monitor, .stop, .listResets:
      .nothing
    case .startFlow, .enterPasscode, .answerQuickUnlock, .cancelFlow: .nothing
    case .listForms, .read, .answer, .sign, .withdraw, .records, .verifyRecord: .nothing
    case .undoReset: .emptyPlace
    case .verify, .unlock, .export, .reset, .enableQuickUnlock, .disableQuickUnlock, .createRecoveryKey, .revokeRecoveryKey,
      .restart:
      .store
    case .inspect, .put, .get, .show, .list, .find, .rename, .delete, .history, .restore, .setAttributes: .openStore
    }
  }

  /// Whether a method keeps nothing and waits for nobody: it is answered however many connections there are.
  static func isQuick(_ method: WireMethod) -> Bool {
    switch method {
    case .getInfo, .getInterfaceDescription, .status, .lock, .stop: true
    default: false
    }
  }

  /// Whether a method brings into memory what only an open store gives out.
  static func opensStore(_ method: WireMethod) -> Bool {
    need(of: method) == .openStore || [.createRecoveryKey, .export].contains(method)
  }

  /// What consent can close a method by.
  enum ConsentNeed: Sendable {
    /// Nothing: what is told, and what is taken back or away, is never closed.
    case nothing
    /// `unlock`.
    case unlocking
    /// `unlock`, and the gates of the name that the method is about.
    case use
  }

  /// What consent a method needs. What a flow needs is asked for when it starts.
  static func consent(for method: WireMethod) -> ConsentNeed {
    switch method {
    case .unlock: .unlocking
    case .put, .get, .show, .list, .find, .rename, .history, .restore, .setAttributes: .use
    default: .nothing
    }
  }

  /// What a flow needs when it starts.
  static func need(of flow: WireFlow) -> Need {
    switch flow {
    case .create: .emptyPlace
    case .change, .recover: .store
    }
  }

  /// Why a need is not met now; nil where it is. A locked store says *locked*, whatever is asked of it.
  static func refusal(of need: Need, in situation: StoreSituation) -> WireError? {
    switch (need, situation) {
    case (.nothing, _), (.emptyPlace, .absent), (.openStore, .unlocked): nil
    case (.store, .locked), (.store, .mustChange), (.store, .unlocked): nil
    case (_, .unusable(let error)): WireError(error)
    case (.store, .absent), (.openStore, .absent): .noStore
    case (.emptyPlace, _): .storeExists
    case (.openStore, .locked): .locked
    case (.openStore, .mustChange(let reason)): .mustChange(WireMustChangeReason(reason))
    }
  }
}
