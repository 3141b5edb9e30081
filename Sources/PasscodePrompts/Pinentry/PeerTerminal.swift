internal import Glibc
public import PasscodePlatform

/// Why a terminal that a client named is not used.
public enum TerminalFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// Its path is not one of a terminal: absolute, in /dev, with no `..` and no odd character.
  case badPath
  /// Nothing stands there, or no terminal.
  case notATerminal
  /// It belongs to another user.
  case foreignOwner
  /// It is not the controlling terminal of the client that named it.
  case notThePeers
  /// The client has ended, or who it is was not told.
  case unknownPeer
  /// It could not be opened.
  case notOpened(SyscallError)
  /// It was hung up.
  case gone

  /// What is wrong with it.
  public var description: String {
    switch self {
    case .badPath: "its path is not that of a terminal"
    case .notATerminal: "it is not a terminal"
    case .foreignOwner: "it belongs to another user"
    case .notThePeers: "it is not the terminal of the program that asks"
    case .unknownPeer: "the program that asks has ended"
    case .notOpened(let error): "\(error)"
    case .gone: "it was closed"
    }
  }
}

/// A client's terminal, checked to be its own, with its modes as they were before the prompt.
struct PeerTerminal: ~Copyable {
  let path: String
  private let descriptor: FileDescriptor
  private let modes: termios

  /// Checks and opens a terminal; nothing is opened that is not the client's controlling terminal.
  static func open(_ path: String, of peer: PeerProcess?) throws(TerminalFault) -> PeerTerminal {
    guard isPlausible(path) else { throw .badPath }
    guard let peer, let facts = peer.facts() else { throw .unknownPeer }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .notATerminal }
    try check(status, peer.credentials.uid, facts)
    // Never the controlling one of this process, and no wait for a carrier.
    let opened = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw .notOpened(SyscallError("open", errno)) }
    let descriptor = FileDescriptor(owning: opened)
    guard unsafe fstat(opened, &status) == 0 else { throw .notATerminal }
    try check(status, peer.credentials.uid, facts)
    var modes = termios()
    guard unsafe tcgetattr(opened, &modes) == 0 else { throw .notATerminal }
    return PeerTerminal(path: path, descriptor: descriptor, modes: modes)
  }

  private init(path: String, descriptor: consuming FileDescriptor, modes: termios) {
    self.path = path
    self.descriptor = descriptor
    self.modes = modes
  }

  /// For poll(2): it tells a hang-up.
  var raw: Int32 { descriptor.raw }

  /// Whether the terminal behind a descriptor was hung up.
  static func isGone(_ raw: Int32) -> Bool {
    var entry = pollfd(fd: raw, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }

  /// Puts back the modes that a killed pinentry left, and throws away what was typed of a passcode: it must not end up in a
  /// shell. Never waits for the terminal.
  func restore() {
    tcflush(descriptor.raw, TCIFLUSH)
    _ = unsafe withUnsafePointer(to: modes) { unsafe tcsetattr(descriptor.raw, TCSANOW, $0) }
  }

  private static func isPlausible(_ path: String) -> Bool {
    let allowed: (UInt8) -> Bool = { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return path.utf8.count <= 64 && path.hasPrefix("/dev/") && path.utf8.allSatisfy(allowed)
  }

  private static func check(_ status: stat, _ uid: UInt32, _ facts: ProcessFacts) throws(TerminalFault) {
    guard status.st_mode & S_IFMT == S_IFCHR else { throw .notATerminal }
    guard status.st_uid == uid else { throw .foreignOwner }
    guard facts.terminal != 0, facts.terminal == encoded(UInt64(status.st_rdev)) else { throw .notThePeers }
  }

  /// A device number as /proc/PID/stat shows it, from one as stat(2) gives it.
  ///
  /// Source: Linux, `new_encode_dev`; glibc, `makedev`: minor 7–0 | major 11–0 << 8 | minor 31–8 << 12 | major 31–12 << 32.
  static func encoded(_ device: UInt64) -> UInt32 {
    let major = UInt32(truncatingIfNeeded: (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000)
    let minor = UInt32(truncatingIfNeeded: device & 0xff | (device >> 12) & 0xffff_ff00)
    return minor & 0xff | major << 8 | (minor & ~0xff) << 12
  }
}
