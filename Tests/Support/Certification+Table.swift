internal import PasscodeWire

extension WireField {
  static let clientID = WireField("client_id")
  static let bool = WireField("bool")
  static let int = WireField("int")
  static let float = WireField("float")
  static let string = WireField("string")
  static let structure = WireField("struct")
  static let map = WireField("map")
  static let setOfWords = WireField("set")
  static let mytype = WireField("mytype")
  static let lastReplies = WireField("last_more_replies")
}

extension Certification {
  private static let pair = [FieldSpec(WireField("first"), .int), FieldSpec(WireField("second"), .string)]
  private static let client = FieldSpec(.clientID, .string)
  private static let four = [
    FieldSpec(.bool, .bool), FieldSpec(.int, .int), FieldSpec(.float, .float), FieldSpec(.string, .string),
  ]

  static let innerType = TypeSpec(
    "Interface",
    .structure([
      FieldSpec(WireField("foo"), .optional(.array(.optional(.map(.enumeration(["foo", "bar", "baz"])))))),
      FieldSpec(WireField("anon"), .structure([FieldSpec(WireField("foo"), .bool), FieldSpec(WireField("bar"), .bool)])),
    ]))

  static let myType = TypeSpec(
    "MyType",
    .structure([
      FieldSpec(WireField("object"), .object),
      FieldSpec(WireField("enum"), .enumeration(["one", "two", "three"])),
      FieldSpec(.structure, .structure(pair)),
      FieldSpec(WireField("array"), .array(.string)),
      FieldSpec(WireField("dictionary"), .map(.string)),
      FieldSpec(WireField("stringset"), .map(.structure([]))),
      FieldSpec(WireField("nullable"), .optional(.string)),
      FieldSpec(WireField("nullable_array_struct"), .optional(.array(.structure(pair)))),
      FieldSpec(.interface, .named(innerType)),
    ]))

  static let methods = [
    MethodSpec("Start", [], returns: [client]),
    MethodSpec("Test01", [client], returns: [four[0]]),
    MethodSpec("Test02", [client, four[0]], returns: [four[1]]),
    MethodSpec("Test03", [client, four[1]], returns: [four[2]]),
    MethodSpec("Test04", [client, four[2]], returns: [four[3]]),
    MethodSpec("Test05", [client, four[3]], returns: four),
    MethodSpec("Test06", [client] + four, returns: [FieldSpec(.structure, .structure(four))]),
    MethodSpec("Test07", [client, FieldSpec(.structure, .structure(four))], returns: [FieldSpec(.map, .map(.string))]),
    MethodSpec(
      "Test08", [client, FieldSpec(.map, .map(.string))], returns: [FieldSpec(.setOfWords, .map(.structure([])))]),
    MethodSpec(
      "Test09", [client, FieldSpec(.setOfWords, .map(.structure([])))], returns: [FieldSpec(.mytype, .named(myType))]),
    MethodSpec("Test10", [client, FieldSpec(.mytype, .named(myType))], returns: [four[3]], replies: .stream),
    MethodSpec("Test11", [client, FieldSpec(.lastReplies, .array(.string))]),
    MethodSpec("End", [client], returns: [FieldSpec(WireField("all_ok"), .bool)]),
  ]

  /// What each test replies with, by its number; the next one has to be called with it.
  static let values = [
    [], ["true"], ["1"], ["1.0"], ["ping"], ["false", "2", "3.141592653589793", "a lot of string"],
    [#"{"bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string"}"#],
    [#"{"foo":"Foo","bar":"Bar"}"#], [#"{"one":{},"two":{},"three":{}}"#], [mytype], [], [], ["true"],
  ]

  static let lastReplies = "[" + (1...10).map { "\"Reply number \($0)\"" }.joined(separator: ",") + "]"

  private static let mytype = #"""
    {"object":{"method":"org.varlink.certification.Test09","parameters":{"map":{"foo":"Foo","bar":"Bar"}}},
    "enum":"two","struct":{"first":1,"second":"2"},"array":["one","two","three"],
    "dictionary":{"foo":"Foo","bar":"Bar"},"stringset":{"one":{},"two":{},"three":{}},
    "nullable":null,"nullable_array_struct":null,
    "interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,{"one":"foo","two":"bar"}],"anon":{"foo":true,"bar":false}}}
    """#

  static let text = """
    # What a Varlink server is certified with.
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)
    method Test01(client_id: string) -> (bool: bool)
    method Test02(client_id: string, bool: bool) -> (int: int)
    method Test03(client_id: string, int: int) -> (float: float)
    method Test04(client_id: string, float: float) -> (string: string)
    method Test05(client_id: string, string: string) -> (bool: bool, int: int, float: float, string: string)
    method Test06(client_id: string, bool: bool, int: int, float: float, string: string)
      -> (struct: (bool: bool, int: int, float: float, string: string))
    method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string))
      -> (map: [string]string)
    method Test08(client_id: string, map: [string]string) -> (set: [string]())
    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)
    # Replies ten times: needs "more".
    method Test10(client_id: string, mytype: MyType) -> (string: string)
    # Has to be called as "oneway".
    method Test11(client_id: string, last_more_replies: []string) -> ()
    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()
    error CertificationError (wants: object, got: object)
    """
}
