extension InterfaceSpec {
  /// `org.varlink.service`: what every Varlink service answers about itself.
  public static let service = InterfaceSpec(
    "org.varlink.service",
    methods: [
      MethodSpec(
        "GetInfo", [],
        returns: [
          FieldSpec(.vendor, .string), FieldSpec(.product, .string), FieldSpec(.version, .string), FieldSpec(.url, .string),
          FieldSpec(.interfaces, .array(.string)),
        ]),
      MethodSpec(
        "GetInterfaceDescription", [FieldSpec(.interface, .string)], returns: [FieldSpec(.descriptionText, .string)]),
    ],
    errors: [
      ErrorSpec("InterfaceNotFound", [FieldSpec(.interface, .string)]),
      ErrorSpec("MethodNotFound", [FieldSpec(.method, .string)]),
      ErrorSpec("MethodNotImplemented", [FieldSpec(.method, .string)]),
      ErrorSpec("InvalidParameter", [FieldSpec(.parameter, .string)]),
      ErrorSpec("PermissionDenied"),
      ErrorSpec("ExpectedMore"),
      ErrorSpec("ExpectedUpgrade"),
    ],
    description: PackageResources.org_varlink_service_varlink)
}
