/// The interfaces that are served, and how their methods are found by the bytes of a call.
///
/// Ours come first, so that the index of a method is its ``WireMethod``'s raw value; a test service adds its own behind them.
public struct WireCatalog: Sendable {
  /// The interfaces.
  public let interfaces: [InterfaceSpec]
  /// Their methods, in order.
  public let methods: [MethodSpec]
  private let fullNames: [String]
  /// The first method of each bucket, and the next one after each; -1 ends.
  private let first: [Int16]
  private let following: [Int16]

  /// Ours alone.
  public static let standard = WireCatalog()

  /// Ours, and some more behind them.
  public init(adding more: [InterfaceSpec] = []) {
    interfaces = InterfaceSpec.served + more
    methods = interfaces.flatMap(\.methods)
    fullNames = interfaces.flatMap { interface in interface.methods.map { "\(interface.name).\($0.name)" } }
    var first = [Int16](repeating: -1, count: 256)
    var following: [Int16] = []
    for (index, name) in fullNames.enumerated() {
      let bucket = Self.bucket(of: name.utf8Span.span)
      following.append(first[bucket])
      first[bucket] = Int16(index)
    }
    self.first = first
    self.following = following
  }

  /// The index of the method of this full name; nil where there is none.
  ///
  /// - Complexity: O(length of the name); allocates nothing.
  public func index(of fullName: Span<UInt8>) -> Int? {
    if fullName.count < 2 { return nil }
    var index = first[Self.bucket(of: fullName)]
    while index >= 0 {
      if isEqual(fullNames[Int(index)].utf8Span.span, fullName) { return Int(index) }
      index = following[Int(index)]
    }
    return nil
  }

  /// The index of a method of an added interface; nil where there is none.
  public func index(of fullName: String) -> Int? { index(of: fullName.utf8Span.span) }

  /// The full name of a method.
  public func fullName(of index: Int) -> String { fullNames[index] }

  /// Where a method that is not there would be: the error to answer.
  func errorForMissing(_ fullName: Span<UInt8>) -> WireError {
    let name = String(copying: fullName)
    guard let dot = name.lastIndex(of: ".") else { return .interfaceNotFound(name) }
    let interface = String(name[..<dot])
    return interfaces.contains { $0.name.description == interface } ? .methodNotFound(name) : .interfaceNotFound(interface)
  }

  private static func bucket(of name: Span<UInt8>) -> Int {
    let last = Int(name[name.count - 1])
    return (name.count &* 37 &+ last &* 11 &+ Int(name[name.count - 2])) & 255
  }
}

extension String {
  /// A text that is known to be UTF-8.
  init(copying bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { preconditionFailure("a message is UTF-8") }
    self.init(copying: text)
  }
}
