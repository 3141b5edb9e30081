extension TypeSpec {
  static let consentState = TypeSpec("State", .words(of: WireConsentState.self))
  static let consentMeans = TypeSpec("Means", .words(of: WireConsentMeans.self))
  static let consentForm = TypeSpec(
    "Form",
    .structure([
      FieldSpec(.id, .string), FieldSpec(.version, .string), FieldSpec(.kind, .words(of: WireConsentKind.self)),
      FieldSpec(.required, .bool), FieldSpec(.origin, .words(of: WirePolicyRole.self)), FieldSpec(.gates, .array(.string)),
      FieldSpec(.locale, .string), FieldSpec(.title, .string), FieldSpec(.sha256, .string),
      FieldSpec(.state, .named(consentState)), FieldSpec(.isAsked, .bool), FieldSpec(.answeredVersion, .optional(.string)),
      FieldSpec(.answeredAt, .optional(.int)), FieldSpec(.expiresAt, .optional(.int)),
      FieldSpec(.agreedBefore, .optional(.string)),
    ]))
  static let consentFormFault = TypeSpec(
    "FormFault",
    .structure([
      FieldSpec(.path, .string), FieldSpec(.line, .optional(.int)), FieldSpec(.column, .optional(.int)),
      FieldSpec(.message, .string),
    ]))
  static let consentSignature = TypeSpec(
    "Signature",
    .structure([
      FieldSpec(.id, .string), FieldSpec(.givenName, .optional(.string)), FieldSpec(.familyName, .optional(.string)),
      FieldSpec(.nameOrder, .optional(.words(of: WireNameOrder.self))), FieldSpec(.image, .optional(.string)),
      FieldSpec(.fields, .optional(.map(.string))),
    ]))
  static let consentAnswer = TypeSpec(
    "FormAnswer",
    .structure([
      FieldSpec(.form, .string), FieldSpec(.version, .string), FieldSpec(.sha256, .string),
      FieldSpec(.choice, .words(of: WireConsentChoice.self)), FieldSpec(.signature, .optional(.named(consentSignature))),
      FieldSpec(.sharing, .optional(.words(of: WireSharing.self))),
    ]))
  static let consentRecord = TypeSpec(
    "Record",
    .structure([
      FieldSpec(.sequence, .int), FieldSpec(.id, .string), FieldSpec(.form, .string), FieldSpec(.version, .string),
      FieldSpec(.locale, .string), FieldSpec(.sha256, .string), FieldSpec(.event, .words(of: WireConsentEvent.self)),
      FieldSpec(.at, .int), FieldSpec(.zone, .string), FieldSpec(.means, .named(consentMeans)),
      FieldSpec(.account, .string), FieldSpec(.recording, .words(of: WireRecording.self)), FieldSpec(.isSigned, .bool),
    ]))
}

extension InterfaceSpec {
  /// `org.passcoded.Consent`: the forms, the answers, and the record of them.
  public static let consent = InterfaceSpec(
    "org.passcoded.Consent",
    types: [
      .consentState, .consentMeans, .consentForm, .consentFormFault, .consentSignature, .consentAnswer, .consentRecord,
    ],
    methods: readingMethods + answeringMethods + recordMethods,
    errors: [
      ErrorSpec("UnknownForm", [FieldSpec(.form, .string)]),
      ErrorSpec("FormChanged", [FieldSpec(.form, .string), FieldSpec(.version, .string)]),
      ErrorSpec("ImproperAnswer", [FieldSpec(.form, .string), FieldSpec(.reason, .string)]),
      ErrorSpec("NothingRecorded", [FieldSpec(.form, .string)]),
      ErrorSpec("RecordFaulty", [FieldSpec(.reason, .string)]),
      ErrorSpec("RecordSound"),
    ],
    description: PackageResources.org_passcoded_Consent_varlink)

  private static let languagesField = FieldSpec(.languages, .optional(.array(.string)))
  private static let recordReply = [FieldSpec(.record, .named(.consentRecord))]
  private static let recordsReply = [FieldSpec(.records, .array(.named(.consentRecord)))]
  /// How, and in which time zone, somebody answers.
  private static let occasion = [
    FieldSpec(.means, .optional(.named(.consentMeans))), FieldSpec(.zone, .optional(.string)),
    FieldSpec(.utcOffset, .optional(.int)),
  ]

  private static let readingMethods = [
    MethodSpec(
      "ListForms", [languagesField],
      returns: [
        FieldSpec(.forms, .array(.named(.consentForm))), FieldSpec(.formFaults, .array(.named(.consentFormFault))),
        FieldSpec(.recordFault, .optional(.string)),
      ]),
    MethodSpec(
      "Read",
      [
        FieldSpec(.what, .words(of: WireConsentPiece.self)), FieldSpec(.form, .optional(.string)),
        FieldSpec(.locale, .optional(.string)), languagesField, FieldSpec(.sequence, .optional(.int)),
      ], returns: [FieldSpec(.part, .string)], replies: .stream),
  ]

  private static let answeringMethods = [
    MethodSpec("Answer", [FieldSpec(.answers, .array(.named(.consentAnswer)))] + occasion, returns: recordsReply),
    MethodSpec(
      "Sign", [FieldSpec(.form, .string), FieldSpec(.signature, .named(.consentSignature))] + occasion, returns: recordReply),
    MethodSpec("Withdraw", [FieldSpec(.form, .string)] + occasion, returns: recordReply),
  ]

  private static let recordMethods = [
    MethodSpec("Records", [FieldSpec(.form, .optional(.string))], returns: recordsReply, replies: .several),
    MethodSpec(
      "VerifyRecord", [],
      returns: [
        FieldSpec(.count, .int), FieldSpec(.signedCount, .int), FieldSpec(.keyFingerprint, .optional(.string)),
        FieldSpec(.isComplete, .bool), FieldSpec(.clockSetBackAt, .optional(.int)),
        FieldSpec(.recordFault, .optional(.string)),
      ]),
    MethodSpec(
      "Restart", [.secret(.passcode)] + occasion,
      returns: recordReply + [FieldSpec(.reason, .string), FieldSpec(.path, .string), FieldSpec(.sha256, .string)]),
  ]
}
