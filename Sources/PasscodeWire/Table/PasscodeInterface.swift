extension TypeSpec {
  static let state = TypeSpec("State", .words(of: WireState.self))
  static let requirement = TypeSpec(
    "Requirement",
    .structure([FieldSpec(.id, .string), FieldSpec(.textOfRule, .string), FieldSpec(.isSatisfied, .bool)]))
  static let strength = TypeSpec("Strength", .structure([FieldSpec(.score, .int), FieldSpec(.bits, .float)]))
  static let policyFile = TypeSpec(
    "PolicyFile",
    .structure([
      FieldSpec(.path, .string), FieldSpec(.role, .words(of: WirePolicyRole.self)),
      FieldSpec(.state, .words(of: WirePolicyFileState.self)), FieldSpec(.fault, .optional(.string)),
    ]))
  static let finding = TypeSpec(
    "Finding",
    .structure([
      FieldSpec(.id, .string), FieldSpec(.state, .words(of: WireFindingState.self)), FieldSpec(.textOfRule, .string),
      FieldSpec(.remedy, .optional(.string)),
    ]))
  static let hurt = TypeSpec(
    "Hurt",
    .structure([
      FieldSpec(.name, .optional(.string)), FieldSpec(.version, .int), FieldSpec(.isCurrent, .bool),
      FieldSpec(.harm, .words(of: WireHarm.self)), FieldSpec(.intactVersion, .optional(.int)),
    ]))
  static let step = TypeSpec(
    "Step",
    .structure([
      FieldSpec(.flow, .words(of: WireFlow.self)),
      FieldSpec(.step, .words(of: WireFlowStep.self)),
      FieldSpec(.requirements, .optional(.array(.named(requirement)))),
      FieldSpec(.unmet, .optional(.array(.named(requirement)))),
      FieldSpec(.strength, .optional(.named(strength))),
      FieldSpec(.mismatch, .optional(.bool)),
      FieldSpec(.triesRemaining, .optional(.int)),
      FieldSpec(.quickUnlockAvailable, .optional(.bool)),
      FieldSpec(.quickUnlockReason, .optional(.string)),
    ]))
  static let setAside = TypeSpec(
    "SetAside",
    .structure([
      FieldSpec(.id, .string), FieldSpec(.storeId, .string), FieldSpec(.setAsideAt, .int), FieldSpec(.expiresAt, .int),
    ]))
}

extension InterfaceSpec {
  /// `org.passcoded.Passcode`: the passcode, its policy, its flows and the state of the store.
  public static let passcode = InterfaceSpec(
    "org.passcoded.Passcode",
    types: [.state, .requirement, .strength, .policyFile, .finding, .hurt, .step, .setAside],
    methods: stateMethods + passcodeMethods + flowMethods + resetMethods + slotMethods + [
      MethodSpec("Monitor", [], returns: stateReply, replies: .stream),
      MethodSpec("Stop", []),
    ],
    errors: stateErrors + passcodeErrors + storeErrors,
    description: PackageResources.org_passcoded_Passcode_varlink)

  private static let stateReply = [FieldSpec(.state, .named(.state)), FieldSpec(.locksAt, .optional(.int))]
  /// Where the person sits, for a method that may ask.
  static let promptPlace = [
    FieldSpec(.terminal, .optional(.string)), FieldSpec(.environment, .optional(.map(.string))),
  ]
  private static let stepReply = [FieldSpec(.step, .named(.step))]

  private static let stateMethods = [
    MethodSpec(
      "Status", [],
      returns: [
        FieldSpec(.state, .named(.state)),
        FieldSpec(.triesRemaining, .optional(.int)),
        FieldSpec(.retryAfterSeconds, .optional(.int)),
        FieldSpec(.locksAt, .optional(.int)),
        FieldSpec(.quickUnlock, .bool),
        FieldSpec(.recovery, .bool),
        FieldSpec(.deviceKey, .bool),
        FieldSpec(.consentPending, .array(.string)),
        FieldSpec(.storePath, .string),
        FieldSpec(.storeId, .optional(.string)),
        FieldSpec(.storeFault, .optional(.string)),
        FieldSpec(.damage, .optional(.array(.string))),
        FieldSpec(.socketPath, .string),
        FieldSpec(.policyFiles, .array(.named(.policyFile))),
        FieldSpec(.memoryLocked, .bool),
        FieldSpec(.version, .string),
        FieldSpec(.protocolVersion, .int),
        FieldSpec(.pid, .int),
      ]),
    MethodSpec(
      "Policy", [],
      returns: [
        FieldSpec(.policy, .object), FieldSpec(.origins, .map(.string)), FieldSpec(.files, .array(.named(.policyFile))),
      ]),
    MethodSpec("Diagnose", [], returns: [FieldSpec(.findings, .array(.named(.finding)))]),
    MethodSpec(
      "Inspect", [],
      returns: [
        FieldSpec(.intact, .int), FieldSpec(.intactVersions, .int), FieldSpec(.hurt, .array(.named(.hurt))),
        FieldSpec(.hurtCount, .int), FieldSpec(.gaps, .int), FieldSpec(.damage, .array(.string)),
      ]),
    MethodSpec(
      "Report", [],
      returns: [
        FieldSpec(.state, .named(.state)), FieldSpec(.policyDigest, .string),
        FieldSpec(.policyFiles, .array(.named(.policyFile))), FieldSpec(.passcodeExpiresAt, .optional(.int)),
        FieldSpec(.memoryLocked, .bool), FieldSpec(.version, .string),
      ]),
  ]

  private static let passcodeMethods = [
    MethodSpec(
      "Check", [.secret(.passcode), FieldSpec(.typing, .optional(.bool))],
      returns: [
        FieldSpec(.accepted, .bool),
        FieldSpec(.requirements, .array(.named(.requirement))),
        FieldSpec(.unmet, .array(.named(.requirement))),
        FieldSpec(.strength, .optional(.named(.strength))),
      ]),
    MethodSpec("Verify", [.secret(.passcode)]),
    MethodSpec(
      "Unlock",
      [.optionalSecret(.passcode), FieldSpec(.quickUnlock, .optional(.bool)), FieldSpec(.acceptOlder, .optional(.bool))]
        + promptPlace,
      returns: stateReply + [FieldSpec(.belowPolicy, .optional(.bool))]),
    MethodSpec("Lock", []),
  ]

  private static let flowMethods = [
    MethodSpec(
      "StartFlow",
      [
        FieldSpec(.flow, .words(of: WireFlow.self)), FieldSpec(.quickUnlock, .optional(.bool)),
        FieldSpec(.acceptWipe, .optional(.bool)), .optionalSecret(.recoveryKey), FieldSpec(.acceptOlder, .optional(.bool)),
      ], returns: stepReply),
    MethodSpec("EnterPasscode", [.optionalSecret(.passcode)] + promptPlace, returns: stepReply),
    MethodSpec("AnswerQuickUnlock", [FieldSpec(.enable, .bool)], returns: stepReply),
    MethodSpec("CancelFlow", [], returns: stepReply),
  ]

  private static let resetMethods = [
    MethodSpec(
      "Reset", [FieldSpec(.confirm, .string), FieldSpec(.erase, .optional(.bool))],
      returns: [FieldSpec(.setAside, .optional(.named(.setAside))), FieldSpec(.quickUnlockReason, .optional(.string))]),
    MethodSpec("ListResets", [], returns: [FieldSpec(.resets, .array(.named(.setAside)))]),
    MethodSpec("UndoReset", [FieldSpec(.id, .string)]),
  ]

  private static let slotMethods = [
    MethodSpec("EnableQuickUnlock", [.secret(.passcode)]),
    MethodSpec("DisableQuickUnlock", []),
    MethodSpec("CreateRecoveryKey", [.secret(.passcode)], returns: [.secret(.key)]),
    MethodSpec("RevokeRecoveryKey", []),
  ]

  private static let stateErrors = [
    ErrorSpec("NoStore"),
    ErrorSpec("StoreExists"),
    ErrorSpec("Locked"),
    ErrorSpec("LockedOut", [FieldSpec(.retryAfterSeconds, .int)]),
    ErrorSpec("MustChange", [FieldSpec(.reason, .words(of: WireMustChangeReason.self))]),
    ErrorSpec("ConsentRequired", [FieldSpec(.forms, .array(.string))]),
  ]

  private static let passcodeErrors = [
    ErrorSpec(
      "WrongPasscode", [FieldSpec(.triesRemaining, .optional(.int)), FieldSpec(.retryAfterSeconds, .optional(.int))]),
    ErrorSpec("PolicyUnmet", [FieldSpec(.requirements, .array(.named(.requirement)))]),
    ErrorSpec("InvalidText", [FieldSpec(.reason, .words(of: WireTextFault.self))]),
    ErrorSpec("NoFlow"),
    ErrorSpec("WrongStep", [FieldSpec(.step, .words(of: WireFlowStep.self))]),
    ErrorSpec("PasscodeChanged"),
    ErrorSpec(
      "PolicyFault",
      [
        FieldSpec(.file, .string), FieldSpec(.line, .optional(.int)), FieldSpec(.column, .optional(.int)),
        FieldSpec(.message, .string),
      ]),
    ErrorSpec("QuickUnlockUnavailable", [FieldSpec(.reason, .string)]),
    ErrorSpec("RecoveryKeyMistyped"),
    ErrorSpec("RecoveryKeyWrong"),
    ErrorSpec("NoRecoveryKey"),
    ErrorSpec("DeviceKeyMissing", [FieldSpec(.path, .string)]),
    ErrorSpec("ConfirmationMismatch"),
    ErrorSpec("ResetNotFound", [FieldSpec(.id, .string)]),
  ]

  private static let storeErrors = [
    ErrorSpec("Corrupt", [FieldSpec(.part, .words(of: WireStorePart.self))]),
    ErrorSpec("Damaged", [FieldSpec(.damage, .array(.string))]),
    ErrorSpec("NotAStore"),
    ErrorSpec("UnsupportedFormat", [FieldSpec(.found, .int), FieldSpec(.supported, .int)]),
    ErrorSpec("InUse"),
    ErrorSpec("Replaced"),
    ErrorSpec("Wiped"),
    ErrorSpec("OlderThanLastSeen"),
    ErrorSpec("Busy"),
    ErrorSpec("TooLarge", [FieldSpec(.limit, .int)]),
    ErrorSpec("OutOfMemory", [FieldSpec(.neededMiB, .int)]),
    ErrorSpec("Storage", [FieldSpec(.kind, .words(of: WireStorageKind.self)), FieldSpec(.message, .string)]),
    ErrorSpec(
      "NoPrompt",
      [FieldSpec(.obstacle, .optional(.words(of: WirePromptObstacle.self))), FieldSpec(.reason, .optional(.string))]),
    ErrorSpec("Cancelled"),
    ErrorSpec("PromptTimedOut"),
    ErrorSpec("Internal"),
  ]
}
