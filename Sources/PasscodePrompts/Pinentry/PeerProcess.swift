internal import Glibc
public import PasscodePlatform

/// The process of a client, as sure as the kernel can tell: a later process that was given its number is not taken for it.
///
/// With a process descriptor (Linux 6.5) the kernel itself pins it, and nothing is read before it is asked for; without one
/// its start time is compared, as read when this value was made.
public final class PeerProcess: Sendable {
  /// Who it was at connect.
  public let credentials: PeerCredentials
  private let process: FileDescriptor?
  /// The number of ``process``; -1 for none, which poll(2) leaves out.
  private let raw: Int32
  private let startTicks: UInt64?

  /// The process of these credentials.
  ///
  /// - Parameter process: its descriptor, from ``UnixConnection/peerProcess()``.
  public init(credentials: PeerCredentials, process: consuming FileDescriptor?) {
    self.credentials = credentials
    raw = process?.raw ?? -1
    self.process = process
    startTicks = raw < 0 ? ProcessFacts.read(credentials.pid)?.startTicks : nil
  }

  /// The process at the other end of a connection.
  ///
  /// - Throws: `system` with getsockopt(2)'s errno.
  public convenience init(of connection: borrowing UnixConnection) throws(PlatformError) {
    self.init(credentials: try connection.peerCredentials(), process: connection.peerProcess())
  }

  /// Its name as it calls itself, which proves nothing; nil once it has ended.
  public var name: String? { facts()?.name }

  /// What the system says of it now; nil once it has ended.
  func facts() -> ProcessFacts? {
    guard let facts = ProcessFacts.read(credentials.pid), raw >= 0 || facts.startTicks == startTicks else { return nil }
    // Looked at after the reading: as long as it lives, its number was its own.
    var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 0 ? facts : nil
  }
}

/// What /proc says of a process.
///
/// Source: proc(5), `/proc/PID/stat`.
struct ProcessFacts: Equatable {
  /// At most 15 bytes, chosen by the process itself.
  let name: String
  /// The device number of its controlling terminal as the kernel encodes it; 0 for none.
  let terminal: UInt32
  /// When it started, in clock ticks since boot.
  let startTicks: UInt64

  static func read(_ pid: Int32) -> ProcessFacts? {
    guard pid > 0, let text = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return nil }
    return ProcessFacts(text)
  }

  /// - Returns: nil for anything but such a line.
  init?(_ line: [UInt8]) {
    // The name may hold spaces and parentheses: it ends at the last one.
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), let close = line.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = line[(close + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    // Fields 3 on: state, parent, group, session, terminal (7) … start time (22).
    guard fields.count >= 20, let terminal = Int32(fields[4]), let start = UInt64(fields[19]) else { return nil }
    name = String(decoding: line[(open + 1)..<close], as: UTF8.self)
    self.terminal = UInt32(bitPattern: terminal)
    startTicks = start
  }
}
