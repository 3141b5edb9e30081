import PasscodeClient
import PasscodePlatform
import PasscodeWire
import SecretMemory
import TestSupport
import Testing

/// The client library against the real daemon.
@Suite struct ClientLibraryTests {
  /// A home whose daemon runs and whose store is unlocked, and a client of it.
  private func start() throws -> (Sandbox, ClientOptions) {
    let home = try Sandbox()
    var options = ClientOptions()
    options.socket = home.socketPath
    options.store = home.storePath
    options.autostarts = false
    try home.create()
    return (home, options)
  }

  private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span) }

  private func text(_ secret: borrowing SecretBytes) -> String {
    unsafe secret.bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  @Test("a scope keeps an app's names apart, in every call and in errors")
  func scope() throws {
    let (home, options) = try start()
    let client = try PasscodeClient.connect(options)
    let app = try client.scoped("org.example.app")
    try app.put("token", try secret("one"), attributes: ["k": "v"])
    try client.put("token", try secret("outside"), attributes: ["k": "v"])
    #expect(text(try app.get("token").secret) == "one")
    #expect(try home.expect(0, "list").outputText == "org.example.app/token\ntoken\n")
    #expect(try app.list().map(\.name) == ["token"])
    #expect(try app.find(["k": "v"]).map(\.name) == ["token"])
    try app.rename("token", to: "folder/token")
    #expect(try app.list(in: "folder").map(\.name) == ["folder/token"])
    #expect(try app.show("folder/token").name == "folder/token")
    #expect(refusal { () throws(ClientError) in _ = try app.show("token") } == .daemon(.notFound(name: "token")))
    #expect(text(try app.scoped("folder").get("token").secret) == "one")
    for name in ["", "a//b", "../other", "a/", "/a"] {
      #expect(refusal { () throws(ClientError) in _ = try app.scoped(name) } != nil, "\(name)")
    }
  }

  @Test("a client goes on after the daemon was restarted, and says that the store is locked")
  func reconnects() throws {
    let (home, options) = try start()
    let client = try PasscodeClient.connect(options)
    #expect(try client.status().state == .unlocked)
    try home.expect(0, "daemon", "restart")
    #expect(try client.status().state == .locked)
    #expect(refusal { () throws(ClientError) in _ = try client.list() } == .daemon(.locked))
    try client.unlock(try secret(Sandbox.passcode))
    #expect(try client.list().isEmpty)
  }

  @Test("a flow that is dropped leaves nothing behind, and one goes step by step")
  func flow() throws {
    let (home, options) = try start()
    let client = try PasscodeClient.connect(options)
    do {
      let dropped = try client.startChange()
      #expect(dropped.screen.step == .current)
      try dropped.enter(try secret(Sandbox.passcode))
    }
    let flow = try client.startChange()
    let wrong = try secret("guess")
    #expect(
      refusal { () throws(ClientError) in try flow.enter(wrong) }
        == .daemon(.wrongPasscode(triesRemaining: 9, retryAfterSeconds: nil)))
    #expect(try flow.enter(try secret(Sandbox.passcode)).step == .enter)
    #expect(try flow.enter(try secret("short")).unmet?.isEmpty == false)
    #expect(try flow.enter(try secret(Sandbox.newPasscode)).step == .confirm)
    #expect(try flow.enter(try secret("other")).mismatch == true)
    try flow.enter(try secret(Sandbox.newPasscode))
    #expect(try flow.enter(try secret(Sandbox.newPasscode)).step == .finished)
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }

  @Test("a change that another client has overtaken says so, and is over")
  func overtaken() throws {
    let (home, options) = try start()
    let client = try PasscodeClient.connect(options)
    let flow = try client.startChange()
    try flow.enter(try secret(Sandbox.passcode))
    try flow.enter(try secret("third-copper-kites-drift-17"))
    try home.expect(0, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    let third = try secret("third-copper-kites-drift-17")
    #expect(refusal { () throws(ClientError) in try flow.enter(third) } == .daemon(.passcodeChanged))
    #expect(refusal { () throws(ClientError) in try flow.enter(third) } == .daemon(.noFlow))
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }

  @Test("states come as a sequence, and a get waits until the store is unlocked")
  func states() async throws {
    let (home, options) = try start()
    defer { withExtendedLifetime(home) {} }
    let client = try await PasscodeClient.connect(options)
    try await client.put("a", try secret("x"))
    var states = client.states.makeAsyncIterator()
    #expect(try await states.next()?.state == .unlocked)
    try await client.lock()
    #expect(try await states.next()?.state == .locked)
    let other = try await PasscodeClient.connect(options)
    async let waiting = Self.waitForSecret(other)
    let timedOut = refusal { () throws(ClientError) in _ = try Self.blockingWait(client, .milliseconds(50)) }
    #expect(timedOut == .daemon(.locked))
    try await client.unlock(try secret(Sandbox.passcode))
    #expect(try await states.next()?.state == .unlocked)
    #expect(try await waiting == 1)
    #expect(try Self.blockingWait(client, nil) == 1)
  }

  private static func waitForSecret(_ client: PasscodeClient) async throws -> Int {
    let found = try await client.getOnceUnlocked("a")
    return found.secret.count
  }

  private static func blockingWait(_ client: PasscodeClient, _ limit: Duration?) throws(ClientError) -> Int {
    try client.getOnceUnlocked("a", within: limit).secret.count
  }

  @Test("calls of many threads go one after the other over one client")
  func manyThreads() async throws {
    let (home, options) = try start()
    defer { withExtendedLifetime(home) {} }
    let client = try await PasscodeClient.connect(options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let value = try SecretBytes(copying: Array("value \(number)".utf8).span)
          try await client.put("n/\(number)", value)
          let found = try await client.get("n/\(number)")
          let isSame = SecretBytes.isEqual(found.secret, value)
          #expect(isSame)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await client.list(in: "n").count == 20)
  }

  @Test("a secret over the limit is refused before it is sent, and the client goes on")
  func tooLarge() throws {
    let (home, options) = try start()
    defer { withExtendedLifetime(home) {} }
    let client = try PasscodeClient.connect(options)
    let large = try SecretBytes(copying: [UInt8](repeating: 1, count: (1 << 20) + 1).span)
    #expect(refusal { () throws(ClientError) in try client.put("a", large) } == .tooLarge(limit: 1 << 20))
    #expect(try client.list().isEmpty)
  }

  @Test("SC-35: a library's options start the daemon that they name, and never the app itself")
  func daemonPath() throws {
    let folder = try TemporaryDirectory()
    var options = ClientOptions()
    options.socket = folder.file("s/socket")
    options.store = folder.file("store.db")
    options.daemonPath = try ExecutablePath.current()
    let itself = refusal { () throws(ClientError) in _ = try PasscodeClient.connect(options) }
    #expect(
      itself == .noDaemon(socket: folder.file("s/socket"), .isThisProgram(path: try ExecutablePath.current())))
    options.autostarts = false
    let off = refusal { () throws(ClientError) in _ = try PasscodeClient.connect(options) }
    #expect(off == .noDaemon(socket: folder.file("s/socket"), .autostartOff))
  }
}

/// What a call throws; nil where it does not.
private func refusal(_ call: () throws(ClientError) -> Void) -> ClientError? {
  do {
    try call()
    return nil
  } catch {
    return error
  }
}
