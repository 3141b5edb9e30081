import PasscodeCore
import PasscodeWire
import Testing

@testable import PasscodeService

@Suite struct RequestGateTests {
  static let situations: [StoreSituation] = [
    .absent, .unusable(.corrupt(.header)), .unusable(.inUse), .unusable(.notAStore), .locked, .mustChange(.expired),
    .mustChange(.belowPolicy), .unlocked,
  ]
  static let credentials: [WireMethod] = [
    .put, .get, .show, .list, .find, .rename, .delete, .history, .restore, .setAttributes,
  ]

  private func refusal(_ method: WireMethod, _ situation: StoreSituation) -> WireError? {
    RequestGate.refusal(of: RequestGate.need(of: method), in: situation)
  }

  @Test("the table says which methods need a store, and which one that is open", arguments: WireMethod.allCases)
  func needs(method: WireMethod) {
    let expected: RequestGate.Need =
      switch method.interfaceName.description {
      case "org.passcoded.Credentials": method == .export ? .store : .openStore
      case "org.varlink.service": .nothing
      default:
        switch method {
        case .verify, .unlock, .reset, .enableQuickUnlock, .disableQuickUnlock, .createRecoveryKey, .revokeRecoveryKey,
          .restart:
          .store
        case .inspect: .openStore
        case .undoReset: .emptyPlace
        default: .nothing
        }
      }
    #expect(RequestGate.need(of: method) == expected)
  }

  @Test("each need is met, or refused with its own error, in each situation")
  func table() {
    let expected: [RequestGate.Need: [WireError?]] = [
      .nothing: [nil, nil, nil, nil, nil, nil, nil, nil],
      .emptyPlace: [
        nil, .corrupt(.header), .inUse, .notAStore, .storeExists, .storeExists, .storeExists, .storeExists,
      ],
      .store: [.noStore, .corrupt(.header), .inUse, .notAStore, nil, nil, nil, nil],
      .openStore: [
        .noStore, .corrupt(.header), .inUse, .notAStore, .locked, .mustChange(.expired), .mustChange(.belowPolicy), nil,
      ],
    ]
    for need in RequestGate.Need.allCases {
      #expect(Self.situations.map { RequestGate.refusal(of: need, in: $0) } == expected[need])
    }
  }

  @Test("SC-5: a store that is not open never says that something is not there", arguments: credentials)
  func neverNotFound(method: WireMethod) {
    for situation in Self.situations where situation != .unlocked {
      let name = refusal(method, situation)?.name
      #expect(name != nil && name != .notFound && name != .versionNotFound && name != .exists)
    }
    #expect(refusal(method, .unlocked) == nil)
  }

  @Test("a flow that creates needs an empty place, those that change it a store")
  func flows() {
    #expect(RequestGate.need(of: WireFlow.create) == .emptyPlace)
    #expect(RequestGate.need(of: WireFlow.change) == .store)
    #expect(RequestGate.need(of: WireFlow.recover) == .store)
  }
}
