extension Strictness where Value: RangeReplaceableCollection, Value.Element: Equatable {
  /// The administrator's entries, then those that only the user has.
  static var union: Strictness {
    Strictness { administrator, user in (administrator + user.filter { !administrator.contains($0) }, false) }
  }
}

extension Strictness where Value == [GatedForm] {
  /// The union form by form.
  static var gates: Strictness {
    Strictness { administrator, user in
      var gates = administrator
      for gate in user {
        if let index = gates.firstIndex(where: { $0.form == gate.form }) {
          gates[index].gates += gate.gates.filter { !gates[index].gates.contains($0) }
        } else {
          gates.append(gate)
        }
      }
      return (gates.sorted { $0.form < $1.form }, false)
    }
  }
}

extension Strictness where Value == [ValidatorSetting]? {
  /// The union; of `strength` and `noSequences` the stricter one stands in the administrator's place.
  static var validators: Strictness {
    Strictness { administrator, user in
      var settings = administrator ?? []
      var isIgnored = false
      for setting in user ?? [] {
        guard let index = settings.firstIndex(where: { $0.isComparable(to: setting) }) else {
          settings.append(setting)
          continue
        }
        let stricter = settings[index].stricter(than: setting)
        isIgnored = isIgnored || stricter != setting
        settings[index] = stricter
      }
      return (settings, isIgnored)
    }
  }
}

extension ValidatorSetting {
  /// Whether one of the two makes the other superfluous.
  fileprivate func isComparable(to other: ValidatorSetting) -> Bool {
    switch (self, other) {
    case (.strength, .strength), (.noSequences, .noSequences): true
    default: self == other
    }
  }

  fileprivate func stricter(than other: ValidatorSetting) -> ValidatorSetting {
    switch (self, other) {
    case (.strength(let a), .strength(let b)): .strength(minimumScore: max(a, b))
    case (.noSequences(let a), .noSequences(let b)): .noSequences(max: min(a, b))
    default: self
    }
  }
}
