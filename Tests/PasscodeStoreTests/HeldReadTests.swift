import Glibc
import PasscodeCore
import PasscodeStore
import Synchronization
import TestSupport
import Testing

/// Readers hold their transaction while they are idle. Nothing of that may show.
@Suite struct HeldReadTests {
  @Test("a read that begins after a put sees it, whoever held a reader before")
  func fresh() throws {
    try withStore { _, store in
      let progress = Progress()
      _ = try store.put("counter", "0")
      let readers = (0..<6).map { _ in Background { progress.watch(store) } }
      for value in 1...400 {
        _ = try store.put("counter", "\(value)")
        progress.acknowledged.store(value, ordering: .releasing)
        #expect(try store.value("counter") == Array("\(value)".utf8))
      }
      progress.isDone.store(true, ordering: .releasing)
      #expect(readers.flatMap { $0.value() } == [])
    }
  }

  @Test("the log stays small while idle readers are there")
  func logIsBounded() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "value")
      var largest = 0
      for index in 0..<1500 {
        _ = try store.put("folder/\(index)", "value")
        if index % 50 == 0 { _ = try store.value("a") }
        largest = max(largest, size(of: fixture.path + "-wal"))
      }
      // 1,024 pages of 4 KiB are the aim; what one commit adds comes on top.
      #expect(largest > 1 << 20 && largest < 5 << 20)
    }
  }

  @Test("closing empties the log, whatever idle readers hold")
  func closing() throws {
    try withClosedStore(fill: { store in
      _ = try store.put("a", "value")
      _ = try store.value("a")
    }) { fixture in
      #expect(size(of: fixture.path + "-wal") == 0)
    }
  }

  private final class Progress: Sendable {
    let acknowledged = Atomic(0)
    let isDone = Atomic(false)

    /// Reads until all is done.
    ///
    /// - Returns: what was older than it may have been.
    func watch(_ store: CredentialStore) -> [String] {
      var stale: [String] = []
      while !isDone.load(ordering: .acquiring) {
        let before = acknowledged.load(ordering: .acquiring)
        let value = Int(String(decoding: (try? store.value("counter")) ?? [], as: UTF8.self)) ?? -1
        if value < before { stale.append("\(value) after \(before)") }
      }
      return stale
    }
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
