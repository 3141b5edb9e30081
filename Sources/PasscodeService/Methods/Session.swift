internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// One connection's way to the service: its flow, and the methods that it calls.
final class Session: CallHandler {
  let service: Service
  let catalog: WireCatalog
  let connection: Connection
  let flow = ConnectionFlow()

  init(_ service: Service, catalog: WireCatalog, _ connection: Connection) {
    self.service = service
    self.catalog = catalog
    self.connection = connection
    service.flows.add(flow)
  }

  deinit {
    service.flows.remove(flow)
    flow.cancel()
  }

  /// A flow holds a passcode, or the proof of one: it does not wait for ever.
  var idleLimit: Duration? { flow.isRunning ? service.configuration.limits.flowStep : nil }

  /// Answers one call of ours.
  func answer(_ call: CallLayout, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    guard let method = call.method else { throw .internalFault }
    let situation = service.situation
    if let refusal = RequestGate.refusal(of: RequestGate.need(of: method), in: situation) { throw refusal }
    if !RequestGate.isQuick(method), !service.connections.admit(connection) { throw .busy }
    if RequestGate.opensStore(method) { connection.opensStore() }
    try requireConsent(method, fields)
    switch method {
    case .getInfo: try getInfo(&replies)
    case .getInterfaceDescription: try getInterfaceDescription(fields, &replies)
    case .status, .policy, .lock, .monitor, .stop: try answerState(method, &replies)
    case .diagnose, .report: try answerDiagnosis(method, &replies)
    case .inspect: try inspect(&replies)
    case .export: try export(fields, &replies)
    case .check, .verify, .unlock: try answerPasscode(method, fields, &replies)
    case .startFlow, .enterPasscode, .answerQuickUnlock, .cancelFlow: try answerFlow(method, fields, &replies)
    case .reset, .listResets, .undoReset: try answerReset(method, fields, &replies)
    case .enableQuickUnlock, .disableQuickUnlock, .createRecoveryKey, .revokeRecoveryKey:
      try answerSlots(method, fields, &replies)
    case .listForms, .read, .answer, .sign, .withdraw, .records, .verifyRecord, .restart:
      try answerConsent(method, fields, &replies)
    case .put, .get, .show, .list, .find, .rename, .delete, .history, .restore, .setAttributes:
      service.keeper.used()
      try answerCredentials(method, fields, &replies)
    }
  }

  /// - Throws: `consentRequired` with the forms that close what is asked for.
  func requireConsent(_ method: WireMethod, _ fields: WireFields) throws(WireError) {
    switch RequestGate.consent(for: method) {
    case .nothing: break
    case .unlocking:
      service.readPolicy()
      try service.consent.require("unlock")
    case .use:
      switch method {
      case .find: try service.consent.requireUse()
      case .list: try service.consent.requireUse(of: fields.bytesIfPresent(.folder), isFolder: true)
      case .rename:
        try service.consent.requireUse(of: fields.bytes(.name))
        try service.consent.requireUse(of: fields.bytes(.newName))
      default: try service.consent.requireUse(of: fields.bytes(.name))
      }
    }
  }

  /// Lends the store to `body`, with its errors as the wire has them.
  ///
  /// Where the store finds no locked memory, nothing was changed and no try was counted: `body` is called again when connections that
  /// hold it without using it have given way.
  ///
  /// - Parameter subject: what the call is about, asked for where it has failed.
  func withStore<R: ~Copyable>(
    about subject: @autoclosure () -> CallSubject = CallSubject(), _ body: (CredentialStore) throws(StoreError) -> R
  ) throws(WireError) -> R {
    do throws(StoreError) { return try service.withStoreAndMemory(body) } catch {
      throw service.translate(error, about: subject())
    }
  }

  /// Makes something that takes locked memory, if need be at the cost of connections that hold it without using it.
  ///
  /// - Throws: `busy` where there is none all the same; what else `make` throws.
  func relieving<R: ~Copyable>(_ make: () throws(SecretMemoryError) -> R) throws(WireError) -> R {
    do throws(SecretMemoryError) {
      return try service.connections.relieving(make) { $0 == .lockedMemoryExhausted }
    } catch { throw WireError(error) }
  }

  /// A passcode out of a call, in memory of its own.
  ///
  /// - Throws: `invalidText` where it is too long; `busy` where there is no locked memory.
  func passcode(_ fields: WireFields) throws(WireError) -> SecretBytes {
    let bytes = fields.bytes(.passcode)
    guard bytes.count <= PasscodeText.maximumByteCount else { throw .invalidText(.tooLong) }
    return try relieving { () throws(SecretMemoryError) in try SecretBytes(copying: bytes) }
  }
}

extension Service {
  /// Lends the store to a body that is called again, for five seconds at most, where there was no locked memory for what it does.
  func withStoreAndMemory<R: ~Copyable>(_ body: (CredentialStore) throws(StoreError) -> R) throws(StoreError) -> R {
    try connections.relieving { () throws(StoreError) in
      try holder.withStore(body)
    } where: {
      $0 == .secretMemory(.lockedMemoryExhausted)
    }
  }

  /// An error of the store as the wire has it. Where the store is gone or another file is there, that is looked at anew.
  func translate(_ error: StoreError, about subject: CallSubject = CallSubject()) -> WireError {
    if error == .replaced { forget(.replaced) }
    if error == .wiped { forget(.wiped) }
    var subject = subject
    subject.deviceKeyPath = configuration.storeOptions.deviceKeyPath ?? ""
    return WireError(error, about: subject)
  }
}
