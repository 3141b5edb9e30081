import CLinux
import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

struct UnixConnectionTests {
  @Test("Attached descriptors are refused and none is left open")
  func attachedDescriptors() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    defer { close(two) }
    let (reading, writing) = try makePipe()
    #expect(clinux_send_descriptor(two, writing) == 0)
    close(writing)
    var message = try SecretBytes(capacity: 16)
    var error: PlatformError?
    do { _ = try connection.receive(into: &message) } catch let caught { error = caught }
    #expect(error == .attachedDescriptors)
    // The reader sees the end: no copy of the writing side is held anywhere.
    #expect(clinux_wait_readable(reading, 0) == 1)
    close(reading)
  }

  @Test("A receive with a limit ends in time and takes what is there")
  func receiveLimit() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    let other = UnixConnection(owning: FileDescriptor(owning: two))
    var message = try SecretBytes(capacity: 4)
    var error: PlatformError?
    do { _ = try connection.receive(into: &message, within: .milliseconds(20)) } catch let caught { error = caught }
    #expect(error == .timedOut)
    let early = try connection.waitForInput(within: .zero)
    try other.sendAll(Array("abcdef".utf8).span)
    let late = try connection.waitForInput(within: .seconds(60))
    #expect(!early && late)
    let first = try connection.receive(into: &message, within: .seconds(60))
    #expect(first == 4)
    message.removeAll()
    let second = try connection.receive(into: &message)
    #expect(second == 2)
  }

  @Test("SC-36: a peer that never reads holds a sender for the limit and no longer")
  func sendLimit() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    defer { close(two) }
    let endless = [UInt8](repeating: 0, count: 4 << 20)
    #expect(throws: PlatformError.timedOut) { try connection.sendAll(endless.span, within: .milliseconds(50)) }
  }

  @Test("SC-36: a peer that reads a byte at a time does not stretch the limit")
  func slowReader() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    let isOver = Monitor(false)
    let reader = Background { () -> Bool in
      var byte: UInt8 = 0
      while !isOver.withLock({ $0 }) {
        _ = unsafe read(two, &byte, 1)
        usleep(1000)
      }
      return true
    }
    let endless = [UInt8](repeating: 0, count: 4 << 20)
    #expect(throws: PlatformError.timedOut) { try connection.sendAll(endless.span, within: .milliseconds(100)) }
    isOver.broadcast { $0 = true }
    #expect(reader.value())
    close(two)
  }

  @Test("Four megabytes arrive whole through small buffers")
  func large() throws {
    var random = SplitMix64.announced()
    let (one, two) = try makeSocketPair()
    let sender = UnixConnection(owning: FileDescriptor(owning: one))
    let sent = (0..<(4 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let receiver = Background { () -> [UInt8] in
      let connection = UnixConnection(owning: FileDescriptor(owning: two))
      var received: [UInt8] = []
      guard var chunk = try? SecretBytes(capacity: 4096) else { return [] }
      while let count = try? connection.receive(into: &chunk), count > 0 {
        for index in chunk.bytes.indices { received.append(chunk.bytes[index]) }
        chunk.removeAll()
      }
      return received
    }
    try sender.sendAll(sent.span, within: .seconds(60))
    sender.shutdown()
    #expect(receiver.value() == sent)
  }

  @Test("A peer that has gone is noticed, and sending to it is an error, not a signal")
  func gone() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    let before = connection.isPeerGone()
    close(two)
    let after = connection.isPeerGone()
    #expect(!before && after)
    #expect(throws: PlatformError.disconnected) { try connection.sendAll([1].span) }
  }

  @Test("The peer's process can be held, where the kernel knows how")
  func peerProcess() throws {
    let (one, two) = try makeSocketPair()
    let connection = UnixConnection(owning: FileDescriptor(owning: one))
    if let process = connection.peerProcess() {
      // It runs, so its descriptor is not readable.
      #expect(clinux_wait_readable(process.raw, 0) == 0)
    }
    close(two)
  }
}
