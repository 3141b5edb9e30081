internal import StrictJSON

/// How one key is read, tightened and written. ``all`` is the whole table.
struct PolicyField: Sendable {
  let key: PolicyKey
  /// Reads a node into a policy; faults go to the reader.
  let read: @Sendable (JSONNode, inout PolicyReader, inout PasscodePolicy) -> Void
  /// Copies the value.
  let copy: @Sendable (_ from: PasscodePolicy, _ to: inout PasscodePolicy) -> Void
  /// Tightens the administrator's value by the user's.
  let tighten: @Sendable (_ policy: inout PasscodePolicy, _ user: PasscodePolicy) -> Tightening
  /// Whether two policies have the same value.
  let isEqual: @Sendable (PasscodePolicy, PasscodePolicy) -> Bool
  /// The value as it stands in a file.
  let value: @Sendable (PasscodePolicy) -> PolicyValue
}

/// What became of a user's value beside the administrator's.
struct Tightening: Equatable {
  /// Whether it changed the policy.
  var counts = false
  /// Whether it, or a part of it, was dropped for being looser.
  var isIgnored = false
}

/// Which of two values is stricter.
struct Strictness<Value: Equatable & Sendable>: Sendable {
  /// - Returns: the stricter value, and whether the user's was dropped.
  let tighten: @Sendable (_ administrator: Value, _ user: Value) -> (value: Value, isIgnored: Bool)

  /// The administrator's stands: nothing is stricter, or the key is the administrator's.
  static var administrator: Strictness { Strictness { ($0, $0 != $1) } }

  /// The value that `choose` takes of the two.
  static func choosing(_ choose: @escaping @Sendable (Value, Value) -> Value) -> Strictness {
    Strictness { administrator, user in
      let value = choose(administrator, user)
      return (value, value != user)
    }
  }
}

extension Strictness where Value == Int {
  static var higher: Strictness { choosing { max($0, $1) } }
  static var lower: Strictness { choosing { min($0, $1) } }
  /// Lower, where 0 stands for no limit.
  static var lowerNotZero: Strictness { choosing { $0 == 0 || $1 == 0 ? max($0, $1) : min($0, $1) } }
}

extension Strictness where Value == Bool {
  static var isTrue: Strictness { choosing { $0 || $1 } }
  static var isFalse: Strictness { choosing { $0 && $1 } }
}

// MARK: - Kinds of fields

extension PolicyField {
  typealias Path<Value> = any WritableKeyPath<PasscodePolicy, Value> & Sendable

  init<Value: Equatable & Sendable>(
    _ key: PolicyKey, _ path: Path<Value>, _ strictness: Strictness<Value>,
    value: @escaping @Sendable (Value) -> PolicyValue,
    read: @escaping @Sendable (JSONNode, inout PolicyReader) -> Value?
  ) {
    self.key = key
    self.read = { node, reader, policy in
      if let value = read(node, &reader) { policy[keyPath: path] = value }
    }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    tighten = { policy, user in
      let before = policy[keyPath: path]
      let (value, isIgnored) = strictness.tighten(before, user[keyPath: path])
      policy[keyPath: path] = value
      return Tightening(counts: value != before, isIgnored: isIgnored)
    }
    isEqual = { $0[keyPath: path] == $1[keyPath: path] }
    self.value = { value($0[keyPath: path]) }
  }

  static func integer(
    _ key: PolicyKey, _ path: Path<Int>, _ range: ClosedRange<Int>, _ strictness: Strictness<Int>
  ) -> PolicyField {
    PolicyField(key, path, strictness, value: { .integer($0) }) { node, reader in reader.integer(node, range) }
  }

  /// A number where -1 and 0 are the same: no limit.
  static func limit(
    _ key: PolicyKey, _ path: Path<Int>, _ maximum: Int, _ strictness: Strictness<Int>
  ) -> PolicyField {
    PolicyField(key, path, strictness, value: { .integer($0) }) { node, reader in
      reader.integer(node, -1...maximum).map { max($0, 0) }
    }
  }

  /// Memory for the derivation: the floor is lower in the administrator's file.
  static func memory(_ key: PolicyKey, _ path: Path<Int>) -> PolicyField {
    PolicyField(key, path, .higher, value: { .integer($0) }) { node, reader in
      reader.integer(node, (reader.role == .administrator ? 19 : 64)...1024)
    }
  }

  static func flag(_ key: PolicyKey, _ path: Path<Bool>, _ strictness: Strictness<Bool>) -> PolicyField {
    PolicyField(key, path, strictness, value: { .bool($0) }) { node, reader in reader.bool(node) }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
    _ key: PolicyKey, _ path: Path<Choice>, _ strictness: Strictness<Choice>
  ) -> PolicyField {
    PolicyField(key, path, strictness, value: { .string($0.rawValue) }) { node, reader in reader.choice(node, Choice.self) }
  }
}
