/// Every method that is served, in the order of ``WireCatalog``.
public enum WireMethod: Int, CaseIterable, Sendable {
  /// `org.varlink.service.GetInfo`
  case getInfo
  /// `org.varlink.service.GetInterfaceDescription`
  case getInterfaceDescription
  /// `org.passcoded.Passcode.Status`
  case status
  /// `org.passcoded.Passcode.Policy`
  case policy
  /// `org.passcoded.Passcode.Diagnose`
  case diagnose
  /// `org.passcoded.Passcode.Inspect`
  case inspect
  /// `org.passcoded.Passcode.Report`
  case report
  /// `org.passcoded.Passcode.Check`
  case check
  /// `org.passcoded.Passcode.Verify`
  case verify
  /// `org.passcoded.Passcode.Unlock`
  case unlock
  /// `org.passcoded.Passcode.Lock`
  case lock
  /// `org.passcoded.Passcode.StartFlow`
  case startFlow
  /// `org.passcoded.Passcode.EnterPasscode`
  case enterPasscode
  /// `org.passcoded.Passcode.AnswerQuickUnlock`
  case answerQuickUnlock
  /// `org.passcoded.Passcode.CancelFlow`
  case cancelFlow
  /// `org.passcoded.Passcode.Reset`
  case reset
  /// `org.passcoded.Passcode.ListResets`
  case listResets
  /// `org.passcoded.Passcode.UndoReset`
  case undoReset
  /// `org.passcoded.Passcode.EnableQuickUnlock`
  case enableQuickUnlock
  /// `org.passcoded.Passcode.DisableQuickUnlock`
  case disableQuickUnlock
  /// `org.passcoded.Passcode.CreateRecoveryKey`
  case createRecoveryKey
  /// `org.passcoded.Passcode.RevokeRecoveryKey`
  case revokeRecoveryKey
  /// `org.passcoded.Passcode.Monitor`
  case monitor
  /// `org.passcoded.Passcode.Stop`
  case stop
  /// `org.passcoded.Credentials.Put`
  case put
  /// `org.passcoded.Credentials.Get`
  case get
  /// `org.passcoded.Credentials.Export`
  case export
  /// `org.passcoded.Credentials.Show`
  case show
  /// `org.passcoded.Credentials.List`
  case list
  /// `org.passcoded.Credentials.Find`
  case find
  /// `org.passcoded.Credentials.Rename`
  case rename
  /// `org.passcoded.Credentials.Delete`
  case delete
  /// `org.passcoded.Credentials.History`
  case history
  /// `org.passcoded.Credentials.Restore`
  case restore
  /// `org.passcoded.Credentials.SetAttributes`
  case setAttributes
  /// `org.passcoded.Consent.ListForms`
  case listForms
  /// `org.passcoded.Consent.Read`
  case read
  /// `org.passcoded.Consent.Answer`
  case answer
  /// `org.passcoded.Consent.Sign`
  case sign
  /// `org.passcoded.Consent.Withdraw`
  case withdraw
  /// `org.passcoded.Consent.Records`
  case records
  /// `org.passcoded.Consent.VerifyRecord`
  case verifyRecord
  /// `org.passcoded.Consent.Restart`
  case restart

  /// Its interface's name.
  public var interfaceName: StaticString {
    switch self {
    case .getInfo, .getInterfaceDescription: InterfaceSpec.service.name
    case .status, .policy, .diagnose, .inspect, .report, .check, .verify, .unlock, .lock, .startFlow, .enterPasscode,
      .answerQuickUnlock,
      .cancelFlow,
      .reset, .listResets, .undoReset, .enableQuickUnlock, .disableQuickUnlock, .createRecoveryKey, .revokeRecoveryKey,
      .monitor, .stop:
      InterfaceSpec.passcode.name
    case .put, .get, .export, .show, .list, .find, .rename, .delete, .history, .restore, .setAttributes:
      InterfaceSpec.credentials.name
    case .listForms, .read, .answer, .sign, .withdraw, .records, .verifyRecord, .restart:
      InterfaceSpec.consent.name
    }
  }

  /// What it takes and gives.
  public var spec: MethodSpec { Self.specs[rawValue] }

  /// Its name with its interface's, such as `org.passcoded.Credentials.Get`.
  public var fullName: String { "\(interfaceName).\(spec.name)" }

  static let specs = InterfaceSpec.served.flatMap(\.methods)
}

extension InterfaceSpec {
  /// The interfaces that are served, `org.varlink.service` first.
  public static let served = [service, passcode, credentials, consent]
}
