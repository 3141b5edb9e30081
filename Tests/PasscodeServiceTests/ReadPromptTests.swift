import Glibc
import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// Reading what the policy asks for each time, without a passcode on the wire.
@Suite struct ReadPromptTests {
  private static let right = "GETPIN) echo 'D \(TestDaemon.passcode)'; echo OK ;;"
  private static let hanging = "GETPIN) while :; do sleep 1000; done ;;"
  /// Waits for a file `go`, then enters the passcode.
  private static let waiting =
    "GETPIN) while [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done; echo 'D \(TestDaemon.passcode)'; echo OK ;;"

  /// A daemon with an open store: `bank/pin` is asked for each time, `free` is not.
  private func open(_ pinentry: ScriptedPinentry, policy: String = "") throws -> TestDaemon {
    let test = try TestDaemon(userPolicy: #"{"askEachTime": ["bank/"]\#(policy)}"#) { $0.pinentry = pinentry.path }
    let client = try test.createStore()
    for name in ["bank/pin", "bank/other", "free"] {
      try client.call("Credentials.Put", ["name": .string(name), "secret": .string("AQ==")])
    }
    return test
  }

  private func parameters(_ name: String) -> KeyValuePairs<String, RawClient.Value> {
    ["name": .string(name), "environment": .map(["DISPLAY": ":0"])]
  }

  private func get(_ name: String, _ client: RawClient) throws -> JSONNode {
    try client.call("Credentials.Get", parameters(name))
  }

  private func ask(_ name: String, _ client: RawClient) throws { try client.send("Credentials.Get", parameters(name)) }

  private func wait(_ pinentry: ScriptedPinentry, asked count: Int = 1) {
    while pinentry.log.count(where: { $0 == "GETPIN" }) < count { usleep(2000) }
  }

  private func tries(_ test: TestDaemon) throws -> Int? {
    try test.connect().call("Passcode.Status").reply?["triesRemaining"]?.number
  }

  @Test("What the policy asks for each time is asked for at each reading, with its name and the asker's, and then told")
  func asksEachTime() throws {
    let pinentry = try ScriptedPinentry(Self.right)
    let test = try open(pinentry)
    let client = try test.connect()
    for _ in 0..<2 { #expect(try get("bank/pin", client).reply?["secret"]?.text == "AQ==") }
    #expect(pinentry.log.count { $0 == "GETPIN" } == 2)
    let words = try #require(pinentry.log.first { $0.hasPrefix("SETDESC") })
    #expect(words.contains("read this credential:%0Abank/pin%0A%0A"))
    #expect(words.contains("unverified name, process \(getpid())"))
    #expect(!pinentry.log.contains { $0.contains("SETKEYINFO") })
    // Nobody is asked for anything else, nor for what is not there.
    #expect(try get("free", client).reply?["secret"]?.text == "AQ==")
    #expect(try get("bank/absent", client).errorName == "NotFound")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 2)
  }

  @Test("A name can't drive the prompt or fill it: what is hidden in it is shown, and of a long one both ends")
  func names() throws {
    let pinentry = try ScriptedPinentry(Self.right)
    let test = try open(pinentry)
    let client = try test.connect()
    let long = "bank/" + String(repeating: "%", count: 900) + "/the end"
    for name in ["bank/\u{202E}x\u{200B}", long] {
      try client.call("Credentials.Put", ["name": .string(name), "secret": .string("Ag==")])
      #expect(try get(name, client).reply?["secret"]?.text == "Ag==")
    }
    let words = pinentry.log.filter { $0.hasPrefix("SETDESC") }
    #expect(words.count == 2 && words.allSatisfy { $0.contains("unverified name") })
    #expect(words[0].contains(#"bank/\u{202E}x\u{200B}%0A"#))
    #expect(words[1].contains("bank/%25") && words[1].contains("%25…%25") && words[1].contains("%25/the end%0A"))
  }

  @Test("A wrong passcode at a reading costs a try and is asked for again; where there is a wait, nobody is asked")
  func lockOut() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D wrong'; echo OK ;;")
    let test = try open(pinentry, policy: #", "lockOut": {"afterTries": 2}"#)
    let client = try test.connect()
    let reply = try get("bank/pin", client)
    #expect(reply.errorName == "WrongPasscode" && reply.reply?["triesRemaining"]?.number == 8)
    #expect(reply.reply?["retryAfterSeconds"]?.number == 30)
    #expect(pinentry.log.filter { $0.hasPrefix("SETERROR") } == ["SETERROR Wrong passcode. 9 tries left."])
    #expect(try get("bank/pin", client).errorName == "LockedOut")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 2)
    #expect(try get("free", client).reply?["secret"]?.text == "AQ==")
  }

  @Test("SC-42: a cancel frees all who wait to read the same, costs no try, and who reads something else is asked")
  func cancelled() throws {
    let pinentry = try ScriptedPinentry(
      "GETPIN) while [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done; echo 'ERR 83886179 cancelled' ;;")
    let test = try open(pinentry)
    let clients = try (0..<30).map { _ in try test.connect() }
    for client in clients { try ask("bank/pin", client) }
    wait(pinentry)
    while test.waiting < 30 { usleep(2000) }
    let other = try test.connect()
    try ask("bank/other", other)
    while test.waiting < 31 { usleep(2000) }
    try pinentry.directory.write("go", [])
    for client in clients + [other] { #expect(try client.receive().errorName == "Cancelled") }
    #expect(pinentry.log.count { $0 == "GETPIN" } == 2)
    #expect(try tries(test) == 10)
  }

  @Test("A right passcode is for the one who was named: who waits to read the same is asked too")
  func notShared() throws {
    let pinentry = try ScriptedPinentry(Self.waiting)
    let test = try open(pinentry)
    let clients = try (0..<3).map { _ in try test.connect() }
    for client in clients { try ask("bank/pin", client) }
    while test.waiting < 3 { usleep(2000) }
    try pinentry.directory.write("go", [])
    for client in clients { #expect(try client.receive().reply?["secret"]?.text == "AQ==") }
    #expect(pinentry.log.count { $0 == "GETPIN" } == 3)
  }

  @Test("Where there is nowhere to ask, that is said at once, also while another prompt is shown")
  func nowhere() throws {
    let pinentry = try ScriptedPinentry(Self.hanging)
    let test = try open(pinentry)
    let client = try test.connect()
    try ask("bank/pin", client)
    wait(pinentry)
    let other = try test.connect()
    for place in [[:], ["TERM": "xterm"]] {
      let reply = try other.call("Credentials.Get", ["name": .string("bank/pin"), "environment": .map(place)])
      #expect(reply.errorName == "NoPrompt" && reply.reply?["obstacle"]?.text == "nowhere")
    }
    #expect(test.waiting == 1)
  }

  @Test("While a reading waits for its person others are served; a lock is answered at once, and the reading says locked")
  func locked() throws {
    let pinentry = try ScriptedPinentry(Self.hanging)
    let test = try open(pinentry)
    let clients = try [test.connect(), test.connect()]
    for client in clients { try ask("bank/pin", client) }
    wait(pinentry)
    while test.waiting < 2 { usleep(2000) }
    let other = try test.connect()
    for _ in 0..<100 { #expect(try get("free", other).reply?["secret"]?.text == "AQ==") }
    #expect(try other.error("Credentials.Put", ["name": .string("bank/pin"), "secret": .string("Ag==")]) == nil)
    let proved = try other.call(
      "Credentials.Get", ["name": .string("bank/pin"), "passcode": .string(TestDaemon.passcode)])
    #expect(proved.reply?["secret"]?.text == "Ag==")
    #expect(try other.error("Passcode.Lock") == nil)
    for client in clients { #expect(try client.receive().errorName == "Locked") }
    #expect(pinentry.isGone() && pinentry.log.count { $0 == "GETPIN" } == 1)
    // They were not closed as those are that keep something of an open store.
    for client in clients { #expect(try get("free", client).errorName == "Locked") }
  }

  @Test("A store that is opened ends no prompt of a reading; one that is reset does")
  func reset() throws {
    let pinentry = try ScriptedPinentry(Self.hanging)
    let test = try open(pinentry)
    let client = try test.connect()
    try ask("bank/pin", client)
    wait(pinentry)
    let other = try test.connect()
    try other.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(test.isPrompting)
    let id = try #require(try other.call("Passcode.Status").reply?["storeId"]?.text)
    #expect(try other.error("Passcode.Reset", ["confirm": .string(id)]) == nil)
    #expect(try client.receive().errorName == "NoStore")
    #expect(pinentry.isGone())
  }

  @Test("What was changed while the person thought is told as it is then; what was deleted is not found")
  func changedMeanwhile() throws {
    for isDeleted in [false, true] {
      let pinentry = try ScriptedPinentry(Self.waiting)
      let test = try open(pinentry)
      let client = try test.connect()
      try ask("bank/pin", client)
      wait(pinentry)
      let other = try test.connect()
      if isDeleted {
        try other.call("Credentials.Delete", ["name": .string("bank/pin")])
      } else {
        try other.call("Credentials.Put", ["name": .string("bank/pin"), "secret": .string("Ag==")])
      }
      try pinentry.directory.write("go", [])
      let reply = try client.receive()
      #expect(isDeleted ? reply.errorName == "NotFound" : reply.reply?["secret"]?.text == "Ag==")
    }
  }

  @Test("A large secret is read so too; a client that goes away takes its prompt along")
  func largeAndGone() throws {
    let pinentry = try ScriptedPinentry(Self.right)
    let test = try open(pinentry)
    let client = try test.connect()
    let large = try base64([UInt8](repeating: 7, count: 100_000))
    try client.call("Credentials.Put", ["name": .string("bank/large"), "secret": .string(large)])
    #expect(try get("bank/large", client).reply?["secret"]?.text == large)

    let hanging = try ScriptedPinentry(Self.hanging)
    let second = try open(hanging)
    do {
      let leaving = try second.connect()
      try ask("bank/pin", leaving)
      wait(hanging)
    }
    #expect(hanging.isGone())
    while second.isPrompting { usleep(2000) }
    #expect(try tries(second) == 10)
  }
}
