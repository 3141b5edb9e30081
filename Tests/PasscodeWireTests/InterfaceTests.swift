import PasscodeWire
import Testing

@Suite struct InterfaceTests {
  static let interfaces = InterfaceSpec.served

  @Test("the IDL file and the table name the same types, methods, fields and errors", arguments: interfaces.indices)
  func sameMembers(index: Int) throws {
    let interface = Self.interfaces[index]
    let members = try IDLParser.members(of: String(decoding: interface.description, as: UTF8.self))
    #expect(members.first?.text == "interface \(interface.name)")
    func texts(_ keyword: String) -> [String] { members.filter { $0.keyword == keyword }.map(\.text) }
    #expect(texts("type") == interface.types.map { "type \($0.name) \($0.type.idl)" })
    #expect(texts("method") == interface.methods.map(\.idl))
    #expect(texts("error") == interface.errors.map(\.idl))
  }

  @Test("every member and every field of the IDL files has its comment", arguments: interfaces.indices)
  func documented(index: Int) throws {
    let text = String(decoding: Self.interfaces[index].description, as: UTF8.self)
    #expect(try IDLParser.members(of: text).filter { !$0.isDocumented }.map(\.name) == [])
    #expect(IDLParser.undocumentedFields(of: text) == [])
  }

  @Test("the methods of the table are the cases of WireMethod, in order")
  func methods() {
    #expect(WireMethod.allCases.count == Self.interfaces.flatMap(\.methods).count)
    for method in WireMethod.allCases {
      let name = method.spec.name.description
      #expect("\(method)" == name.prefix(1).lowercased() + name.dropFirst())
      #expect(Self.interfaces.contains { "\($0.name).\(name)" == method.fullName })
    }
    #expect(Set(WireMethod.allCases.map(\.fullName)).count == WireMethod.allCases.count)
  }

  @Test("the errors of the table are the cases of WireErrorName, in order")
  func errors() {
    #expect(WireErrorName.allCases.count == Self.interfaces.flatMap(\.errors).count)
    for error in WireErrorName.allCases {
      let name = error.spec.name.description
      #expect(error == .internalFault || "\(error)" == name.prefix(1).lowercased() + name.dropFirst())
      #expect(WireErrorName(error.fullName) == error)
    }
    #expect(WireErrorName("org.passcoded.Passcode.Nothing") == nil)
  }

  @Test("secrets are strings: passcodes, the secret of a credential, the recovery key, and nothing else")
  func secrets() {
    let fields = Self.interfaces.flatMap(\.methods).flatMap { $0.parameters + $0.reply }
    #expect(
      Set(fields.filter(\.isSecret).map { "\($0.field): \($0.type.idl)" }) == [
        "passcode: string", "passcode: ?string", "secret: string", "secret: ?string", "recoveryKey: ?string", "key: string",
      ])
    #expect(fields.filter { [.passcode, .secret, .recoveryKey].contains($0.field) }.allSatisfy { $0.isSecret })
    #expect(Self.interfaces.flatMap(\.errors).flatMap(\.parameters).allSatisfy { !$0.isSecret })
  }

  @Test("no two methods, types or errors of an interface share a name", arguments: interfaces.indices)
  func distinctNames(index: Int) {
    let interface = Self.interfaces[index]
    let names =
      interface.types.map(\.name.description) + interface.methods.map(\.name.description)
      + interface.errors.map(\.name.description)
    #expect(Set(names).count == names.count)
  }
}
