import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// What a store should hold, in thirty lines.
private struct Model {
  struct Value: Equatable {
    var version: Int64
    var credential: Int
    var secret: [UInt8]
    var attributes: [String: String]
  }

  var current: [String: Value] = [:]
  var earlier: [String: [Value]] = [:]
  private var credentials = 0
  private static let keeps = 5

  mutating func put(_ name: String, _ version: Int64, _ secret: [UInt8], _ attributes: [String: String]?) {
    credentials += 1
    let old = current[name]
    if let old { retire(old, name) }
    current[name] = Value(
      version: version, credential: old?.credential ?? credentials, secret: secret,
      attributes: attributes ?? old?.attributes ?? [:])
  }

  mutating func retire(_ value: Value, _ name: String) {
    // What is given up just now is kept, even where its number is lower: it may have come by a rename.
    let others = earlier[name, default: []].suffix(Self.keeps - 1)
    earlier[name] = (others + [value]).sorted { $0.version < $1.version }
  }

  mutating func delete(_ name: String, purges: Bool) {
    if let old = current.removeValue(forKey: name), !purges { retire(old, name) }
    if purges { earlier[name] = [] }
  }

  mutating func rename(_ name: String, _ newName: String) {
    guard name != newName, let value = current.removeValue(forKey: name) else { return }
    if let target = current[newName] { retire(target, newName) }
    current[newName] = value
    let moving = earlier[name, default: []].filter { $0.credential == value.credential }
    earlier[name]?.removeAll { $0.credential == value.credential }
    earlier[newName] = (earlier[newName, default: []] + moving).sorted { $0.version < $1.version }
  }

  func value(_ name: String, _ version: Int64) -> Value? {
    ([current[name]].compactMap { $0 } + earlier[name, default: []]).first { $0.version == version }
  }
}

@Suite struct ModelTests {
  private static let names = ["a", "b", "f/a", "f/b", "f/g/a", "f/g/b", "g", "ff/a", "\u{E9}", "x y/z"]
  private static let keys = ["user", "host", "k"]

  @Test("2,500 random acts do to the store what they do to a dictionary, and its sums are those of its rows")
  func acts() throws {
    var random = SplitMix64.announced()
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    var store = Optional(try fixture.create())
    var model = Model()
    for step in 0..<2500 {
      try act(try #require(store), &model, &random)
      if step % 250 == 249 {
        try expectConsistent(try #require(store), names: Self.names)
        try compare(try #require(store), model)
        if Bool.random(using: &random) { try store?.close() }
        store = nil
        store = try fixture.openUnlocked()
        try compare(try #require(store), model)
      }
    }
  }

  private func act(_ store: CredentialStore, _ model: inout Model, _ random: inout SplitMix64) throws {
    let name = Self.names.randomElement(using: &random)!
    let bytes = Array(name.utf8)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      let secret = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let attributes = Bool.random(using: &random) ? attributes(&random) : nil
      let pairs = attributes?.map { AttributePair(key: $0.key, value: $0.value) }
      let replaces = Int.random(in: 0..<4, using: &random) > 0
      if !replaces, model.current[name] != nil {
        #expect(throws: StoreError.exists) { try store.put(bytes.span, secret: secret.span, PutOptions(replaces: false)) }
        return
      }
      let outcome = try store.put(bytes.span, secret: secret.span, PutOptions(attributes: pairs, replaces: replaces))
      #expect(outcome.isNew == (model.current[name] == nil))
      model.put(name, outcome.version, secret, attributes)
    case 5..<7:
      let purges = Int.random(in: 0..<3, using: &random) == 0
      if model.current[name] == nil && !(purges && !model.earlier[name, default: []].isEmpty) {
        #expect(throws: StoreError.notFound) { try store.delete(name, purges: purges) }
      } else {
        try store.delete(name, purges: purges)
      }
      model.delete(name, purges: purges)
    case 7..<9: try rename(store, &model, name, Self.names.randomElement(using: &random)!, Bool.random(using: &random))
    case 9:
      guard let value = model.current[name] else { return }
      let key = Self.keys.randomElement(using: &random)!
      let set = Bool.random(using: &random) ? ["k": "changed"] : [:]
      try store.changeAttributes(
        of: bytes.span, set: set.map { AttributePair(key: $0.key, value: $0.value) }, unset: [key])
      model.current[name]?.attributes = value.attributes.filter { $0.key != key }.merging(set) { $1 }
    case 10:
      let known = [model.current[name]].compactMap { $0 } + model.earlier[name, default: []]
      guard let value = known.randomElement(using: &random) else {
        #expect(throws: StoreError.notFound) { try store.restore(bytes.span, version: 1) }
        return
      }
      let version = try store.restore(bytes.span, version: value.version)
      model.put(name, version, value.secret, value.attributes)
    default:
      let value = model.current[name]
      #expect(try store.valueIfAny(name) == value?.secret)
      for value in model.earlier[name, default: []] { #expect(try store.value(name, version: value.version) == value.secret) }
    }
  }

  private func attributes(_ random: inout SplitMix64) -> [String: String] {
    var attributes: [String: String] = [:]
    for key in Self.keys where Bool.random(using: &random) { attributes[key] = ["x", "y"].randomElement(using: &random)! }
    return attributes
  }

  private func rename(
    _ store: CredentialStore, _ model: inout Model, _ name: String, _ newName: String, _ replaces: Bool
  ) throws {
    if model.current[name] == nil {
      #expect(throws: StoreError.notFound) { try store.rename(name, to: newName, replaces: replaces) }
    } else if name != newName, model.current[newName] != nil, !replaces {
      #expect(throws: StoreError.exists) { try store.rename(name, to: newName) }
    } else {
      try store.rename(name, to: newName, replaces: replaces)
      model.rename(name, newName)
    }
  }

  private func compare(_ store: CredentialStore, _ model: Model) throws {
    func inByteOrder(_ names: some Sequence<String>) -> [String] { names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    #expect(try store.names() == inByteOrder(model.current.keys))
    for folder in ["f", "f/g", "ff", "x y", "a"] {
      #expect(try store.names(in: folder) == inByteOrder(model.current.keys.filter { $0.hasPrefix(folder + "/") }))
    }
    for key in Self.keys {
      for value in ["x", "y", "changed"] {
        let expected = model.current.filter { $0.value.attributes[key] == value }.keys.sorted()
        #expect(try store.found([(key, value)]) == expected)
      }
    }
    for name in Self.names {
      let known = [model.current[name]].compactMap { $0 } + model.earlier[name, default: []].reversed()
      #expect(try store.versions(name).map(\.version) == known.map(\.version))
      for value in known { #expect(try store.value(name, version: value.version) == value.secret) }
    }
  }
}
