import Glibc
import Testing

@testable import PasscodePlatform

struct BootClockTests {
  @Test("Boot time runs forward and is never behind the monotonic clock")
  func forward() {
    let first = BootClock.now()
    usleep(2000)
    #expect(BootClock.now() >= first + 2_000_000)
    let monotonic = BootClock.monotonic()
    #expect(BootClock.now() >= monotonic)
    #expect(BootClock.wallSeconds() > 1_700_000_000)
  }

  @Test("The boot id is 16 bytes and does not change while the machine runs")
  func bootID() throws {
    let id = try BootClock.bootID()
    #expect(id.count == 16)
    #expect(try BootClock.bootID() == id)
    #expect(try BootClock.timeNamespace() == BootClock.timeNamespace())
  }

  @Test("A boot id that is none is refused")
  func parse() {
    let text = "00112233-4455-6677-8899-aabbccddeeff\n"
    #expect(BootClock.parseUUID(Array(text.utf8))?[15] == 0xff)
    for wrong in ["", "00", text.replacing("f", with: "g"), "+0112233-4455-6677-8899-aabbccddeefg"] {
      #expect(BootClock.parseUUID(Array(wrong.utf8)) == nil)
    }
  }

  @Test("Durations become nanoseconds and milliseconds without overflow, rounded so that no wait ends early")
  func durations() {
    #expect(BootClock.nanoseconds(.milliseconds(3)) == 3_000_000)
    #expect(BootClock.nanoseconds(.seconds(-3)) == 0)
    #expect(BootClock.nanoseconds(.seconds(Int64.max)) == 3_155_760_000_000_000_000)
    #expect(Deadline.milliseconds(.nanoseconds(1)) == 1)
    #expect(Deadline.milliseconds(.milliseconds(1500)) == 1500)
    #expect(Deadline.milliseconds(.seconds(-1)) == 0)
    #expect(Deadline.milliseconds(.seconds(Int64.max)) == Int32.max)
  }
}
