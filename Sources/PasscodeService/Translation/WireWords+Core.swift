internal import PasscodeCore
internal import PasscodeWire
internal import SecretMemory

// Core and wire do not know each other; each has its own words for the same facts.

extension WireState {
  init(_ situation: StoreSituation) {
    self =
      switch situation {
      case .absent: .absent
      case .unusable, .locked: .locked
      case .mustChange: .mustChange
      case .unlocked: .unlocked
      }
  }
}

extension WireMustChangeReason {
  init(_ reason: MustChangeReason) {
    self =
      switch reason {
      case .expired: .expired
      case .belowPolicy: .belowPolicy
      }
  }
}

extension WireTextFault {
  init(_ fault: PasscodeFault) {
    self =
      switch fault {
      case .tooLong: .tooLong
      case .text(let fault): WireTextFault(fault)
      }
  }

  init(_ fault: TextFault) {
    self =
      switch fault {
      case .notUTF8: .notUTF8
      case .containsNUL: .containsNUL
      case .unassignedCodePoint: .unassignedCodePoint
      }
  }

  init(_ finding: TextFinding) {
    self =
      switch finding {
      case .notUTF8: .notUTF8
      case .containsNUL: .containsNUL
      case .tooLong: .tooLong
      case .unassignedCodePoint: .unassignedCodePoint
      }
  }
}

extension WireStorePart {
  init(_ part: StorePart) {
    self =
      switch part {
      case .file: .file
      case .schema: .schema
      case .header: .header
      case .slot: .slot
      case .ledger: .ledger
      case .state: .state
      case .record: .record
      case .version: .version
      case .lookup: .lookup
      case .history: .history
      case .consent: .consent
      }
  }
}

extension WireNameFault {
  init(_ fault: NameFault) {
    self =
      switch fault {
      case .empty: .empty
      case .tooLong: .tooLong
      case .notUTF8: .notUTF8
      case .emptyPart: .emptyPart
      case .dotPart: .dotPart
      case .controlCharacter: .controlCharacter
      }
  }
}

extension WireMetadataFault {
  init(_ fault: MetadataFault) {
    self =
      switch fault {
      case .emptyKey: .emptyKey
      case .keyTooLong: .keyTooLong
      case .valueTooLong: .valueTooLong
      case .tooManyAttributes: .tooManyAttributes
      case .typeTooLong: .typeTooLong
      case .notUTF8: .notUTF8
      case .controlCharacter: .controlCharacter
      }
  }
}

extension WirePolicyFile {
  init(_ report: PolicyFileReport) {
    let role: WirePolicyRole = report.role == .administrator ? .administrator : .user
    switch report.state {
    case .absent: self.init(path: report.path, role: role, state: .absent)
    case .inForce: self.init(path: report.path, role: role, state: .inForce)
    case .faulty(let fault): self.init(path: report.path, role: role, state: .faulty, fault: fault.description)
    }
  }
}

extension WireRequirement {
  init(_ requirement: PolicyRequirement) {
    self.init(id: requirement.id, text: requirement.text, isSatisfied: requirement.isSatisfied)
  }
}

extension WireStrength {
  init(_ strength: PasscodeStrength) { self.init(score: strength.score, bits: strength.bits) }
}
