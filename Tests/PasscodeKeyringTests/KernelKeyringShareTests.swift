import CLinux
import Glibc
import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

/// Whether this machine lets anybody use the kernel's keyring.
private let isUsable = unsafe clinux_key_read("passcoded:no-such-key", nil, 0) == -Int(ENOKEY)

@Suite(.enabled(if: isUsable, "the kernel's keyring is refused here"))
struct KernelKeyringShareTests {
  private static let other: uid_t = 65_534

  private let store = StoreID.random()

  /// Whether a share is renewed, read back, replaced and removed as it should.
  private static func works(_ share: KernelKeyringShare) throws -> Bool {
    let first = try share.renew()
    let firstRead = try share.read()
    let second = try share.renew()
    let secondRead = try share.read()
    try share.remove()
    return SecretBytes.isEqual(first, firstRead) && SecretBytes.isEqual(second, secondRead)
      && !SecretBytes.isEqual(first, second) && first.count == 32
  }

  @Test("A share is read back, replaced and removed, and removing it twice is no failure")
  func life() throws {
    let share = KernelKeyringShare(store: store)
    #expect(throws: KeyringObstacle.shareAbsent) { _ = try share.read().count }
    let works = try Self.works(share)
    #expect(works)
    #expect(throws: KeyringObstacle.shareAbsent) { _ = try share.read().count }
    try share.remove()
  }

  @Test("Each store has a share of its own")
  func stores() throws {
    let (one, another) = (KernelKeyringShare(store: store), KernelKeyringShare(store: StoreID.random()))
    _ = try one.renew().count
    #expect(throws: KeyringObstacle.shareAbsent) { _ = try another.read().count }
    try another.remove()
    _ = try one.read().count
    try one.remove()
  }

  @Test("Only who possesses the key may see it")
  func permissions() throws {
    let share = KernelKeyringShare(store: store)
    _ = try share.renew().count
    let keys = String(decoding: try Files.read("/proc/keys", limit: 1 << 20), as: UTF8.self)
    let line = keys.split(separator: "\n").first { $0.contains("passcoded:quick-unlock:\(store): 32") }
    #expect(line?.contains(" 3f000000 ") == true)
    try share.remove()
  }

  @Test("A share that another program replaced is not taken for one", arguments: [1, 31, 33, 4096])
  func foreign(count: Int) throws {
    let description = "passcoded:quick-unlock:\(store)"
    #expect(unsafe clinux_key_put(description, [UInt8](repeating: 1, count: count), count) == 0)
    let share = KernelKeyringShare(store: store)
    #expect(throws: KeyringObstacle.shareForeign) { _ = try share.read().count }
    try share.remove()
  }

  @Test("A share outlives the login session, whose keyring is revoked at its end")
  func revokedSession() async {
    await #expect(processExitsWith: .exitCode(7)) {
      guard clinux_close_session_keyring() == 0 else { exit(1) }
      exit(try Self.works(KernelKeyringShare(store: StoreID.random())) ? 7 : 2)
    }
  }

  @Test("An ordinary user has a share, and root's is not his", .enabled(if: geteuid() == 0))
  func ordinaryUser() async throws {
    let roots = KernelKeyringShare(store: store)
    _ = try roots.renew().count
    await #expect(processExitsWith: .exitCode(7)) { [hex = store.description as String] in
      guard setgid(Self.other) == 0, setuid(Self.other) == 0, clinux_close_session_keyring() == 0 else { exit(1) }
      let share = KernelKeyringShare(store: StoreID(hex: hex)!)
      do throws(KeyringObstacle) {
        _ = try share.read().count
        exit(2)
      } catch {
        exit(try error == .shareAbsent && Self.works(share) ? 7 : 3)
      }
    }
    try roots.remove()
  }

  @Test(
    "Where a container refuses the calls, the share is refused and nothing else is said", arguments: [EPERM, EACCES, ENOSYS])
  func refused(error: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [error] in
      guard clinux_refuse_keys(error) == 0 else { exit(1) }
      let share = KernelKeyringShare(store: StoreID.random())
      func isRefused(_ body: () throws(KeyringObstacle) -> Void) -> Bool {
        do throws(KeyringObstacle) {
          try body()
          return false
        } catch {
          guard case .shareRefused = error else { return false }
          return true
        }
      }
      let renews = isRefused { () throws(KeyringObstacle) in _ = try share.renew().count }
      let reads = isRefused { () throws(KeyringObstacle) in _ = try share.read().count }
      let removes = isRefused { () throws(KeyringObstacle) in try share.remove() }
      exit(renews && reads && removes ? 7 : 2)
    }
  }
}
