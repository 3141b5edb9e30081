extension TypeSpec {
  static let credential = TypeSpec(
    "Credential",
    .structure([
      FieldSpec(.name, .string), FieldSpec(.version, .int), FieldSpec(.createdAt, .int), FieldSpec(.modifiedAt, .int),
      FieldSpec(.size, .int), FieldSpec(.type, .optional(.string)), FieldSpec(.attributes, .map(.string)),
    ]))
  static let version = TypeSpec(
    "Version",
    .structure([
      FieldSpec(.version, .int), FieldSpec(.storedAt, .int), FieldSpec(.size, .int), FieldSpec(.type, .optional(.string)),
      FieldSpec(.isCurrent, .bool),
    ]))
}

extension InterfaceSpec {
  /// `org.passcoded.Credentials`: the secrets by name.
  public static let credentials = InterfaceSpec(
    "org.passcoded.Credentials",
    types: [.credential, .version, .hurt],
    methods: secretMethods + listMethods + changeMethods,
    errors: [
      ErrorSpec("NotFound", [nameField]),
      ErrorSpec("VersionNotFound", [nameField, FieldSpec(.version, .int)]),
      ErrorSpec("Exists", [nameField]),
      ErrorSpec("InvalidName", [FieldSpec(.reason, .words(of: WireNameFault.self))]),
      ErrorSpec("InvalidMetadata", [FieldSpec(.reason, .words(of: WireMetadataFault.self))]),
    ],
    description: PackageResources.org_passcoded_Credentials_varlink)

  private static let nameField = FieldSpec(.name, .string)
  private static let credentialReply = [FieldSpec(.credential, .named(.credential))]
  private static let pageReply = [FieldSpec(.credentials, .array(.named(.credential)))]

  private static let secretMethods = [
    MethodSpec(
      "Put",
      [
        nameField, .secret(.secret), FieldSpec(.attributes, .optional(.map(.string))), FieldSpec(.type, .optional(.string)),
        FieldSpec(.replace, .optional(.bool)),
      ],
      returns: [FieldSpec(.version, .int), FieldSpec(.created, .bool)]),
    MethodSpec(
      "Get", [nameField, FieldSpec(.version, .optional(.int)), .optionalSecret(.passcode)] + promptPlace,
      returns: [FieldSpec(.version, .int), FieldSpec(.type, .optional(.string)), .secret(.secret)]),
    MethodSpec(
      "Export", [.secret(.passcode), FieldSpec(.salvage, .optional(.bool))],
      returns: [
        FieldSpec(.credential, .optional(.named(.credential))), .optionalSecret(.secret), FieldSpec(.count, .optional(.int)),
        FieldSpec(.hurt, .optional(.array(.named(.hurt)))), FieldSpec(.hurtCount, .optional(.int)),
        FieldSpec(.gaps, .optional(.int)),
      ], replies: .stream),
  ]

  private static let listMethods = [
    MethodSpec("Show", [nameField], returns: credentialReply),
    MethodSpec("List", [FieldSpec(.folder, .optional(.string))], returns: pageReply, replies: .several),
    MethodSpec("Find", [FieldSpec(.attributes, .map(.string))], returns: pageReply, replies: .several),
  ]

  private static let changeMethods = [
    MethodSpec("Rename", [nameField, FieldSpec(.newName, .string), FieldSpec(.replace, .optional(.bool))]),
    MethodSpec("Delete", [nameField, FieldSpec(.purge, .optional(.bool))]),
    MethodSpec("History", [nameField], returns: [FieldSpec(.versions, .array(.named(.version)))]),
    MethodSpec("Restore", [nameField, FieldSpec(.version, .int)], returns: [FieldSpec(.version, .int)]),
    MethodSpec(
      "SetAttributes",
      [nameField, FieldSpec(.set, .optional(.map(.string))), FieldSpec(.unset, .optional(.array(.string)))],
      returns: credentialReply),
  ]
}
