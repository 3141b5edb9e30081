import Glibc
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodePrompts

struct PeerTerminalTests {
  private let request = PromptRequest(.passcode, title: "T", description: "D")

  private func ask(_ path: String, _ peer: PeerProcess?) throws -> Answer {
    let surroundings = PromptSurroundings(variables: ["TERM": "xterm"], terminal: path)
    return try RunningPrompt("/usr/bin/pinentry-tty", request, PromptClient(surroundings: surroundings, process: peer)).answer
  }

  private func process(_ pid: Int32, uid: UInt32 = geteuid()) -> PeerProcess {
    PeerProcess(credentials: PeerCredentials(uid: uid, gid: getegid(), pid: pid), process: nil)
  }

  @Test("Of a bus only an address of a socket is kept: others would start programs")
  func busAddress() {
    func kept(_ address: String) -> String? {
      PromptSurroundings(variables: ["DBUS_SESSION_BUS_ADDRESS": address], terminal: nil).variables["DBUS_SESSION_BUS_ADDRESS"]
    }
    for address in ["unix:path=/run/user/1/bus", "unix:abstract=/tmp/x,guid=1;unix:path=/y"] {
      #expect(kept(address) == address)
    }
    for address in ["unixexec:path=/tmp/x", "unix:path=/y;unixexec:path=/tmp/x", "autolaunch:", "tcp:host=x"] {
      #expect(kept(address) == nil)
    }
  }

  @Test("A terminal is only used by the one whose controlling terminal it is")
  func foreign() throws {
    let (mine, theirs) = (try Desk(), try Desk())
    #expect(try ask(theirs.terminal.path, mine.peer) == .unavailable(.terminal(.notThePeers)))
    #expect(try ask(mine.terminal.path, nil) == .unavailable(.terminal(.unknownPeer)))
    #expect(try ask(mine.terminal.path, process(mine.pid, uid: geteuid() + 1)) == .unavailable(.terminal(.foreignOwner)))
    #expect(theirs.terminal.isEchoing && mine.terminal.isEchoing)
    #expect(!theirs.terminal.hasShown("Passcode"))
  }

  @Test("A path that is not a terminal's is not even opened")
  func notTerminals() throws {
    let desk = try Desk()
    for path in ["pts/0", "/dev/../etc/passwd", "/etc/passwd", "/dev/pts/0\n", "/dev/" + String(repeating: "x", count: 80)] {
      #expect(try ask(path, desk.peer) == .unavailable(.terminal(.badPath)))
    }
    #expect(try ask("/dev/pts/999999", desk.peer) == .unavailable(.terminal(.notATerminal)))
    #expect(try ask("/dev/shm", desk.peer) == .unavailable(.terminal(.notATerminal)))
    #expect(try ask("/dev/tty", desk.peer) != .cancelled)
  }

  @Test("With a display, a terminal that can't be used is left out")
  func displayInstead() throws {
    let desk = try Desk()
    let surroundings = PromptSurroundings(variables: ["DISPLAY": ":0"], terminal: desk.terminal.path)
    let graphical = try ScriptedPinentry("GETPIN) echo 'D x'; echo OK ;;")
    #expect(try graphical.ask(client: PromptClient(surroundings: surroundings, process: nil)) == .passcode("x"))
    #expect(!graphical.log.contains { $0.hasPrefix("OPTION tty") })
    #expect(try graphical.ask(client: PromptClient(surroundings: surroundings, process: desk.peer)) == .passcode("x"))
    #expect(graphical.log.contains("OPTION ttyname=\(desk.terminal.path)"))
  }

  @Test("A client that has ended is noticed, by its process descriptor and by its start time")
  func ended() throws {
    let (own, other) = try makeSocketPair()
    defer { close(other) }
    let connection = UnixConnection(owning: FileDescriptor(owning: own))
    let me = try PeerProcess(of: connection)
    #expect(me.credentials.pid == getpid() && me.name != nil)
    let running = try Command("/bin/sleep", ["1000"]).start()
    let sleeper = process(running.pid)
    while sleeper.name != "sleep" { usleep(1000) }
    running.send(signal: SIGKILL)
    _ = try running.finish()
    #expect(sleeper.name == nil)
  }

  @Test("The name of a process may hold anything; the fields behind it are found")
  func processLine() throws {
    let line = "123 (a) S 1) (b) R 1 123 123 34819 99 4194304 1 2 3 4 5 6 7 8 20 0 1 0 777 1 2"
    let facts = try #require(ProcessFacts(Array(line.utf8)))
    #expect(facts.name == "a) S 1) (b" && facts.terminal == 34819 && facts.startTicks == 777)
    for short in [
      "", "1", "1 (x", "1 (x) S", "1 )x( S 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1",
      "1 (x) S 1 1 1 no 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    ] {
      #expect(ProcessFacts(Array(short.utf8)) == nil)
    }
  }

  @Test("Device numbers of both kernels' encodings agree")
  func deviceNumbers() {
    // pts/3 is 136:3; major 4095, minor 1048575 is the largest that the process line can say.
    #expect(PeerTerminal.encoded(0x8803) == 34819)
    #expect(PeerTerminal.encoded(136 << 8 | 0x01 | 0x123 << 20) == 0x1230_8801)
    #expect(PeerTerminal.encoded(0xfff << 8 | 0xff | 0xfff << 20) == 0xffff_ffff)
  }

  @Test("The asker's name can't look like anything else")
  func introduction() throws {
    let desk = try Desk()
    #expect(desk.client().introduction == "Asked for by \"sleep\" (unverified name, process \(desk.pid))")
    let directory = try TemporaryDirectory()
    #expect(unsafe symlink("/bin/sleep", directory.file("<b>\u{1b}[2J x")) == 0)
    let odd = try Command(directory.file("<b>\u{1b}[2J x"), ["1000"]).start()
    let client = PromptClient(surroundings: PromptSurroundings(variables: [:], terminal: nil), process: process(odd.pid))
    while !client.introduction.contains("2J") { usleep(1000) }
    #expect(client.introduction == "Asked for by \"?b???2J?x\" (unverified name, process \(odd.pid))")
    odd.send(signal: SIGKILL)
  }
}
