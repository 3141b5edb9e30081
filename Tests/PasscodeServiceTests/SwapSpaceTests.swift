import PasscodeWire
import Testing

@testable import PasscodeService

@Suite struct SwapSpaceTests {
  @Test("Swap space is good where there is none, where it is closed, and where the daemon is kept out; else it is noted")
  func findings() {
    #expect(SwapSpace(open: [], closed: [], isForbidden: false).finding.state == .good)
    #expect(SwapSpace(open: [], closed: ["/dev/zram0"], isForbidden: false).finding.state == .good)
    #expect(SwapSpace(open: ["/dev/sda2"], closed: [], isForbidden: true).finding.state == .good)
    let open = SwapSpace(open: ["/dev/sda2"], closed: ["/dev/zram0"], isForbidden: false).finding
    #expect(open.state == .note && open.text.contains("/dev/sda2") && open.remedy != nil)
  }
}
