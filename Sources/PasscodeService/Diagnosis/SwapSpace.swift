internal import PasscodePlatform
internal import PasscodeWire

/// Where the kernel may put memory that is not locked: the working memory of a derivation, at worst.
///
/// Source: proc(5), `/proc/swaps`; cgroups(7), `memory.swap.max`.
struct SwapSpace: Equatable {
  /// The devices and files that hold it in clear.
  var open: [String]
  /// Those that are encrypted, or in memory.
  var closed: [String]
  /// Whether this process is never swapped.
  var isForbidden: Bool

  static func current() -> SwapSpace {
    let swaps = text("/proc/swaps").split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    let closed = swaps.filter { isClosed(unescaped($0)) }
    return SwapSpace(open: swaps.filter { !closed.contains($0) }, closed: closed, isForbidden: isForbidden)
  }

  var finding: WireFinding {
    if isForbidden { return WireFinding("swap", .good, "the daemon is never swapped") }
    if open.isEmpty { return WireFinding("swap", .good, closed.isEmpty ? "there is none" : "it is encrypted or in memory") }
    return WireFinding(
      "swap", .note, "\(open.joined(separator: ", ")) is not encrypted: working memory of a passcode check could reach it",
      remedy: "encrypt the swap space, or run the daemon as a unit of systemd, which keeps it out (MemorySwapMax=0)")
  }

  /// A device of zram, or of dm-crypt.
  private static func isClosed(_ path: String) -> Bool {
    let name = PathParts.split((try? Files.linkTarget(of: path)) ?? path).name
    return name.hasPrefix("zram") || text("/sys/class/block/\(name)/dm/uuid").hasPrefix("CRYPT-")
  }

  /// A blank in a path is written as `\040`.
  private static func unescaped(_ path: String) -> String {
    path.split(separator: "\\040", omittingEmptySubsequences: false).joined(separator: " ")
  }

  private static var isForbidden: Bool {
    guard let line = text("/proc/self/cgroup").split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return false
    }
    return text("/sys/fs/cgroup" + line.dropFirst(3) + "/memory.swap.max") == "0\n"
  }

  private static func text(_ path: String) -> String {
    (try? Files.read(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
