internal import Glibc

/// Who runs this process, and where: for home directories and for the `notPersonal` validator.
public struct AccountFacts: Equatable, Sendable {
  /// The effective uid.
  public let uid: UInt32
  /// The login name; empty where the account database has no entry.
  public let userName: String
  /// The full name of the GECOS field; empty where there is none.
  public let fullName: String
  /// The home directory of the account database; nil where there is no entry.
  public let home: String?
  /// The machine's name.
  public let hostName: String

  /// An account of these facts.
  public init(uid: UInt32, userName: String, fullName: String, home: String?, hostName: String) {
    self.uid = uid
    self.userName = userName
    self.fullName = fullName
    self.home = home
    self.hostName = hostName
  }

  /// The facts of the effective user.
  ///
  /// May ask a directory service, as getpwuid_r(3) does.
  public static func current() -> AccountFacts {
    let uid = geteuid()
    let host = hostName()
    var entry = unsafe passwd()
    var buffer = [CChar](repeating: 0, count: 16_384)
    return unsafe buffer.withUnsafeMutableBufferPointer { space in
      var found: UnsafeMutablePointer<passwd>?
      // SAFETY: the strings of `entry` point into `space`, and are copied before it ends.
      guard unsafe getpwuid_r(uid, &entry, space.baseAddress!, space.count, &found) == 0, unsafe found != nil else {
        return AccountFacts(uid: uid, userName: "", fullName: "", home: nil, hostName: host)
      }
      let name = unsafe text(entry.pw_name)
      let home = unsafe text(entry.pw_dir)
      return AccountFacts(
        uid: uid, userName: name, fullName: fullName(gecos: unsafe text(entry.pw_gecos), userName: name),
        home: home.hasPrefix("/") ? home : nil, hostName: host)
    }
  }

  /// The full name in a GECOS field: its first part, where `&` stands for the login name with a capital.
  ///
  /// Source: passwd(5), finger(1).
  static func fullName(gecos: String, userName: String) -> String {
    // The usual case, without the machinery of splitting: every start of a program comes by here.
    if !gecos.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "&") }) { return gecos }
    let first = gecos.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
    let capitalised = userName.prefix(1).uppercased() + userName.dropFirst()
    return first.split(separator: "&", omittingEmptySubsequences: false).joined(separator: capitalised)
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    // One less: gethostname(2) may leave out the final NUL when it cuts.
    let isKnown = unsafe buffer.withUnsafeMutableBufferPointer { unsafe gethostname($0.baseAddress!, $0.count - 1) } == 0
    guard isKnown else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }
}
