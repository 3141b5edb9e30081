import Glibc
import PasscodePlatform
import PasscodePrompts
import Synchronization
import TestSupport
import Testing

/// What real pinentries can't be made to do: crashes, hangs, inquiries of the graphical ones, garbage.
struct ScriptedPinentryTests {
  private static let new = PromptRequest.Question.newPasscode(repeatLabel: "Again:", mismatch: "They differ.")

  @Test("A pinentry that ends before it answers is told with its status")
  func crashes() throws {
    #expect(try ScriptedPinentry(greeting: "exit 3", "").ask() == .crashed(.ended(.exited(3))))
    #expect(try ScriptedPinentry("GETPIN) echo 'D half'; exit 0 ;;").ask() == .crashed(.ended(.exited(0))))
    #expect(try ScriptedPinentry("GETPIN) kill -9 $$ ;;").ask() == .crashed(.ended(.signalled(SIGKILL))))
  }

  @Test("One that has ended is noticed though a program that it started holds its output, which ends with it")
  func endsBeforeItsChild() throws {
    let parent = try ScriptedPinentry(
      "GETPIN) sh -c 'echo $$ >\"$0\"; exec sleep 100000' \"${0%/*}/helper\" & until [ -s \"${0%/*}/helper\" ]; do sleep 0.01; done; exit 4 ;;"
    )
    #expect(try parent.ask() == .crashed(.ended(.exited(4))))
    #expect(parent.isGone("helper"))
  }

  @Test("What others could have put there, or what is no program, is not run")
  func unsafeProgram() throws {
    let pinentry = try ScriptedPinentry("")
    func fault(_ path: String) throws -> PromptProgramFault? {
      let request = PromptRequest(.passcode, title: "T", description: "D")
      guard case .unavailable(.unsafeProgram(path, let fault)) = try RunningPrompt(path, request, .onScreen).answer else {
        return nil
      }
      return fault
    }
    #expect(try fault(pinentry.directory.path) == .notAFile)
    for (mode, expected) in [(0o777, PromptProgramFault.writableByOthers), (0o720, .writableByOthers), (0o600, .notExecutable)]
    {
      #expect(unsafe chmod(pinentry.path, mode_t(mode)) == 0)
      #expect(try fault(pinentry.path) == expected)
    }
    #expect(unsafe chmod(pinentry.path, 0o700) == 0)
    if geteuid() == 0 {
      #expect(unsafe chown(pinentry.path, 65534, 65534) == 0)
      #expect(try fault(pinentry.path) == .foreignOwner)
    }
    #expect(pinentry.log.isEmpty)
  }

  @Test("A pinentry that hangs is killed when the time is up")
  func hangs() throws {
    for hanging in [
      try ScriptedPinentry(greeting: "exec sleep 100000", ""), try ScriptedPinentry("GETPIN) exec sleep 100000 ;;"),
      try ScriptedPinentry("GETPIN) while :; do echo '# still here'; done ;;"),
    ] {
      #expect(try hanging.ask(timeout: .seconds(1)) == .timedOut)
      #expect(hanging.isGone())
    }
  }

  @Test("One that ignores a polite end is killed, and with it all that it started")
  func killed() throws {
    let deaf = try ScriptedPinentry(
      "GETPIN) trap '' TERM; sh -c 'echo $$ >\"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 100000' \"${0%/*}/helper\" ;;")
    let request = PromptRequest(.passcode, title: "T", description: "D")
    let prompt = try RunningPrompt(deaf.path, request, .onScreen)
    while deaf.lines("helper").isEmpty { usleep(1000) }
    prompt.cancellation.cancel()
    #expect(prompt.answer == .cancelled)
    #expect(deaf.isGone() && deaf.isGone("helper"))
  }

  @Test("One that stays after goodbye is killed, and its answer counts")
  func stays() throws {
    let guest = try ScriptedPinentry("GETPIN) echo 'D right'; echo OK ;; BYE) exec >/dev/null; while :; do sleep 1000; done ;;")
    #expect(try guest.ask() == .passcode("right"))
    #expect(guest.isGone())
  }

  @Test("The bar shows what the policy says of the candidate, within -100 to 100")
  func quality() throws {
    let seen = Mutex<[String]>([])
    let judges = CandidateJudges(quality: { candidate in
      let text = unsafe candidate.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
      seen.withLock { $0.append(text) }
      return candidate.isEmpty ? -7 : candidate.count * 60
    })
    let graphical = try ScriptedPinentry(
      """
      GETPIN) for typed in '' a 'a%25' 'a%25 é'; do echo "INQUIRE QUALITY $typed"; read -r d; read -r e; echo "$d $e" >>"${0%/*}/answers"; done
        echo 'S PIN_REPEATED'; echo 'D a%25 é'; echo OK ;;
      """)
    #expect(try graphical.ask(Self.new, judges: judges) == .passcode("a% é"))
    #expect(graphical.lines("answers") == ["D -7 END", "D 60 END", "D 100 END", "D 100 END"])
    #expect(seen.withLock { $0 } == ["", "a", "a%", "a% é"])
    #expect(graphical.log.contains("SETQUALITYBAR Strength:"))
  }

  @Test("A candidate that the policy refuses is sent back with the reason, and one that it accepts is not judged again")
  func check() throws {
    let judged = Mutex(0)
    let judges = CandidateJudges(refusal: { candidate in
      judged.withLock { $0 += 1 }
      return candidate.count < 3 ? "Too short:\n50% of 4." : nil
    })
    let graphical = try ScriptedPinentry(
      """
      GETPIN) echo 'INQUIRE CHECKPIN ab'; read -r d; read -r e; echo "$d $e" >>"${0%/*}/answers"
        echo 'INQUIRE CHECKPIN abcd'; read -r e; echo "$e" >>"${0%/*}/answers"
        echo 'S PIN_REPEATED'; echo 'D abcd'; echo OK ;;
      """)
    #expect(try graphical.ask(Self.new, judges: judges) == .passcode("abcd"))
    #expect(graphical.lines("answers") == ["D Too short:%0A50%25 of 4. END", "END"])
    #expect(judged.withLock { $0 } == 2)
    #expect(graphical.log.contains("OPTION constraints-enforce"))
  }

  @Test("A candidate that an inquiry had to cut is judged when it is whole")
  func cutCandidate() throws {
    let counts = Mutex<[Int]>([])
    let judges = CandidateJudges(refusal: { candidate in
      counts.withLock { $0.append(candidate.count) }
      return nil
    })
    let long = String(repeating: "x", count: 400)
    let graphical = try ScriptedPinentry(
      "GETPIN) echo 'INQUIRE CHECKPIN \(long.prefix(300))'; read -r e; echo 'S PIN_REPEATED'; echo 'D \(long)'; echo OK ;;")
    #expect(try graphical.ask(Self.new, judges: judges) == .passcode(long))
    #expect(counts.withLock { $0 } == [400])
  }

  @Test("An answer in several lines is one; its longest is 4,096 bytes")
  func severalLines() throws {
    let line = String(repeating: "x", count: 512)
    let eight = try ScriptedPinentry("GETPIN) for i in 1 2 3 4 5 6 7 8; do echo 'D \(line)'; done; echo OK ;;")
    #expect(try eight.ask() == .passcode(String(repeating: line, count: 8)))
    let more = try ScriptedPinentry("GETPIN) for i in 1 2 3 4 5 6 7 8; do echo 'D \(line)'; done; echo 'D x'; echo OK ;;")
    #expect(try more.ask() == .crashed(.oversizedPasscode))
    let longest = String(repeating: "y", count: 997)
    #expect(try ScriptedPinentry("GETPIN) echo 'D \(longest)'; echo OK ;;").ask() == .passcode(longest))
    #expect(try ScriptedPinentry("GETPIN) echo 'D \(longest)y'; echo OK ;;").ask() == .crashed(.oversizedLine))
  }

  @Test(
    "Garbage ends the prompt",
    arguments: [
      ("GETPIN) echo nonsense ;;", PromptCrash.malformedReply), ("GETPIN) echo 'D %zz' ;;", .malformedReply),
      ("GETPIN) echo 'ERR later' ;;", .malformedReply), ("GETPIN) echo ;;", .malformedReply),
      ("GETPIN) head -c 100000 /dev/zero; sleep 1000 ;;", .oversizedLine), ("SETDESC*) echo 'D early' ;;", .unexpectedReply),
      ("SETDESC*) echo 'INQUIRE QUALITY x' ;;", .unexpectedReply),
      ("GETPIN) while echo 'INQUIRE SOMETHING'; do :; done ;;", .notReading),
    ])
  func garbage(cases: String, crash: PromptCrash) throws {
    let mad = try ScriptedPinentry(cases)
    #expect(try mad.ask() == .crashed(crash))
    #expect(mad.isGone())
  }

  @Test("Refusals without end are an end")
  func endless() throws {
    let mad = try ScriptedPinentry("GETPIN) echo 'D x'; echo OK ;;")
    #expect(try mad.ask(Self.new, judges: CandidateJudges(refusal: { _ in "No." })) == .crashed(.endless))
  }

  @Test("An old pinentry that knows no option and no repetition still asks; it is never told to keep a passcode")
  func oldPinentry() throws {
    let old = try ScriptedPinentry(
      """
      OPTION*) echo 'ERR 83886254 Unknown option <Pinentry>' ;;
      SETREPEAT*|SETQUALITYBAR*|SETTIMEOUT*|SETTITLE*) echo 'ERR 536871187 Unknown IPC command <User defined source 1>' ;;
      GETPIN) echo 'D same'; echo OK ;;
      """)
    #expect(try old.ask(Self.new, judges: CandidateJudges(quality: { _ in 0 }, refusal: { _ in nil })) == .passcode("same"))
    #expect(old.log.filter { $0 == "GETPIN" }.count == 2)
    #expect(!old.log.contains { $0.contains("SETKEYINFO") || $0.contains("password-cache") })
  }

  @Test("What a pinentry says on 2 holds nothing up, however much it is")
  func loud() throws {
    let loud = try ScriptedPinentry("GETPIN) head -c 1000000 /dev/zero >&2; echo 'D x'; echo OK ;;")
    #expect(try loud.ask() == .passcode("x"))
  }

  @Test("It is given no argument, only the variables that it needs, and no descriptor but 0 to 2")
  func surroundings() throws {
    let given = [
      "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/home/u/.Xauthority",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus", "TERM": "xterm-256color", "LANG": "de_DE.UTF-8",
      "LC_CTYPE": "en_US.UTF-8",
    ]
    let odd = [
      "PATH": "/tmp", "LD_PRELOAD": "/tmp/x.so", "GTK_MODULES": "x", "LC_ALL": "/tmp/locale", "LC_MESSAGES": "de\n",
      "LC_X": "C",
      "LANGUAGE": "de", "GNUPGHOME": "/tmp",
    ]
    let client = PromptClient(
      surroundings: PromptSurroundings(variables: given.merging(odd) { $1 }, terminal: nil), process: nil)
    let plain = try ScriptedPinentry("GETPIN) echo OK ;;")
    #expect(try plain.ask(client: client) == .passcode(""))
    #expect(plain.lines("environment").sorted() == given.map { "\($0)=\($1)" }.sorted())
    #expect(plain.lines("arguments") == ["/bin/sh", plain.path])
    // From 10 on are the shell's own: its script, and what it put aside.
    #expect(plain.lines("descriptors").filter { $0.utf8.count < 2 } == ["0", "1", "2"])
    #expect(plain.log.contains("OPTION lc-ctype=en_US.UTF-8") && !plain.log.contains { $0.hasPrefix("OPTION tty") })
  }

  @Test("No error holds anything that a pinentry said")
  func canary() throws {
    let canary = "c4n4ry-7788"
    for cases in [
      "GETPIN) echo 'D \(canary)'; echo '\(canary)' >&2; exit 1 ;;", "GETPIN) echo 'D \(canary)'; echo 'ERR 5 \(canary)' ;;",
      "GETPIN) echo 'D \(canary)'; echo '\(canary)' ;;", "GETPIN) echo 'D %x\(canary)' ;;",
      "SETDESC*) echo 'ERR 7 \(canary)' ;;",
      "SETDESC*) echo 'D \(canary)' ;;", "GETPIN) while :; do echo 'D \(canary)'; done ;;",
      "GETPIN) while printf '\(canary)'; do :; done ;;",
      "GETPIN) echo 'INQUIRE \(canary) \(canary)'; read x; echo '\(canary)' ;;",
    ] {
      let answer = try ScriptedPinentry(cases).ask()
      var words = ""
      dump(answer, to: &words)
      switch answer {
      case .unavailable(let reason): words += "\(reason)"
      case .crashed(let crash): words += "\(crash)"
      default: Issue.record("\(cases) gave no error")
      }
      #expect(!words.contains("c4n4ry"))
    }
  }
}
