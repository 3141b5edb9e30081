import Glibc
import PasscodeCore
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeValidators

/// Scripts of root's in a directory of root's: tests run as root in CI.
@Suite("command", .enabled(if: geteuid() == 0, "a command has to be root's, and only root can make one"))
struct CommandValidatorTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/var/lib", mode: 0o755) }

  private func script(_ body: String, interpreter: String = "/bin/sh") throws -> String {
    try directory.writeProgram("check", "#!\(interpreter)\n\(body)\n")
  }

  private func message(_ body: String, candidate: String = "a candidate", timeoutSeconds: Int = 20) throws -> String? {
    try rejection(of: candidate, by: CommandValidator(path: script(body), timeoutSeconds: timeoutSeconds))?.message
  }

  @Test("accepts, and refuses with its message or a general one") func verdicts() throws {
    #expect(try message(#"echo '{"accepted": true}'"#) == nil)
    #expect(try message(#"echo '{"message": "fine", "accepted": true}'"#) == nil)
    #expect(try message(#"echo '{"accepted": false, "message": "not at our place"}'"#) == "not at our place")
    #expect(try message(#"echo '{"accepted": false}'"#) == "not accepted by \(directory.path)/check")
  }

  @Test("the candidate comes on the standard input, byte for byte, and nowhere else") func input() throws {
    let record = directory.path + "/record"
    let body = """
      cat > \(record).input
      cat /proc/$$/cmdline > \(record).arguments
      cat /proc/$$/environ > \(record).environment
      for number in /proc/$$/fd/*; do readlink "$number"; done | sort -u > \(record).descriptors
      pwd > \(record).directory
      echo '{"accepted": true}'
      """
    #expect(try message(body, candidate: "pässwörd \"$HOME\" \\ ") == nil)
    func recorded(_ what: String) throws -> String {
      String(decoding: try Files.read("\(record).\(what)", limit: 4096), as: UTF8.self)
    }
    #expect(try recorded("input") == "pässwörd \"$HOME\" \\ ")
    #expect(try recorded("arguments") == "/bin/sh\0\(directory.path)/check\0")
    #expect(try recorded("environment") == "")
    #expect(try recorded("directory") == "/\n")
    // Two pipes; the shell itself holds its script open.
    let open = try recorded("descriptors").split(separator: "\n").map { $0.hasPrefix("pipe:") ? "pipe" : $0 }
    #expect(open == ["/dev/null", "\(directory.path)/check", "pipe", "pipe"])
  }

  @Test("a descriptor of ours that is not closed on exec does not reach it") func descriptors() throws {
    let leaked = fcntl(0, F_DUPFD, 200)
    try #require(leaked >= 200)
    defer { close(leaked) }
    let body = #"test -e /proc/$$/fd/\#(leaked) && echo '{"accepted": false}' || echo '{"accepted": true}'"#
    #expect(try message(body) == nil)
  }

  @Test(
    "whatever is no verdict refuses, and says so",
    arguments: [
      ("", "it wrote no verdict"),
      ("echo yes", "it wrote no verdict"),
      (#"echo '{"accepted": true} {}'"#, "it wrote no verdict"),
      (#"echo '{"accepted": true, "accepted": true}'"#, "it wrote no verdict"),
      (#"echo '{"accepted": 1}'"#, "it wrote no verdict"),
      (#"echo '{"accepted": true, "extra": 1}'"#, "it wrote no verdict"),
      (#"echo '{"accepted": true, "message": {}}'"#, "it wrote no verdict"),
      (#"echo '{"message": "none"}'"#, "it wrote no verdict"),
      (#"echo '[{"accepted": true}]'"#, "it wrote no verdict"),
      (#"printf '{"accepted": true'"#, "it wrote no verdict"),
      (#"printf '{"accepted": true, "message": "\377"}'"#, "it wrote no verdict"),
      (#"echo '{"accepted": true}'; exit 3"#, "it ended with exit code 3"),
      (#"echo '{"accepted": true}'; kill -SEGV $$"#, "signal 11 ended it"),
      ("head -c 70000 /dev/zero", "it wrote more than 64 KiB"),
      ("yes", "it wrote more than 64 KiB"),
    ])
  func failures(body: String, reason: String) throws {
    #expect(try message(body) == "the check by \(directory.path)/check could not be done: \(reason)")
  }

  @Test("a program that can't be executed refuses") func noInterpreter() throws {
    let path = try script("", interpreter: "/no/such/interpreter")
    let message = try rejection(of: "x", by: CommandValidator(path: path))?.message
    #expect(message?.hasPrefix("the check by \(path) could not be done: ") == true)
  }

  @Test("one that hangs is killed with all its children when its time is up") func hanging() throws {
    let record = directory.path + "/pids"
    let body = "sleep 1000 & echo $! $$ > \(record); echo '{\"accepted\": true}'; wait"
    #expect(try message(body, timeoutSeconds: 1)?.hasSuffix("it took longer than 1 s") == true)
    let pids = String(decoding: try Files.read(record, limit: 100), as: UTF8.self).split { !$0.isNumber }.compactMap {
      Int32($0)
    }
    try #require(pids.count == 2)
    // A signal takes a moment to end a process, and its new parent may never wait for it: this hangs where none was sent.
    for pid in pids { while kill(pid, 0) == 0, state(of: pid) != "Z" { usleep(10_000) } }
  }

  @Test("one that leaves a child with its output behind waits for nobody longer than its time") func daemonised() throws {
    let body = #"echo '{"accepted": true}'; sleep 1000 &"#
    #expect(try message(body, timeoutSeconds: 1)?.hasSuffix("it took longer than 1 s") == true)
  }

  @Test("one that never reads its input can judge") func deaf() throws {
    #expect(try message("exec <&-; echo '{\"accepted\": true}'", candidate: String(repeating: "x", count: 1024)) == nil)
  }

  @Test("a message is one line of at most 300 bytes without control characters") func messages() throws {
    func shown(_ json: String) throws -> String? {
      try message("cat <<'END'\n{\"accepted\": false, \"message\": \(json)}\nEND")
    }
    #expect(try shown(#""two\nlines\t and\u001b[31m a\u202e colour\u0000""#) == "two lines and[31m a colour")
    #expect(try shown("\"\(String(repeating: "ä", count: 200))\"") == String(repeating: "ä", count: 150))
    #expect(try shown(#""\n\u0007 ""#) == "not accepted by \(directory.path)/check")
  }

  @Test("a message that repeats the candidate is not shown") func quoting() throws {
    let body = #"printf '{"accepted": false, "message": "I do not like %s"}' "$(cat)""#
    #expect(try message(body) == "not accepted by \(directory.path)/check")
  }

  private func state(of pid: Int32) -> String? {
    guard let text = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }
}

@Suite("Where a command may be", .enabled(if: geteuid() == 0, "a command has to be root's, and only root can make one"))
struct TrustedProgramTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/var/lib", mode: 0o755) }

  private func fault(_ path: String) -> CommandFault? {
    do throws(CommandFault) {
      try TrustedProgram.check(path)
      return nil
    } catch { return error }
  }

  @Test("root's own file in root's own directories") func good() throws {
    let path = try directory.write("check", "#!/bin/sh\n".utf8, mode: 0o755)
    #expect(fault(path) == nil)
    #expect(unsafe chmod(path, 0o711) == 0)
    #expect(fault(path) == nil)
  }

  @Test("a file that others can write to", arguments: [0o775, 0o757, 0o777])
  func writable(mode: UInt32) throws {
    let path = try directory.write("check", "#!/bin/sh\n".utf8, mode: 0o755)
    #expect(unsafe chmod(path, mode) == 0)
    #expect(fault(path) == .untrusted(path: path, .writableByOthers(mode: mode)))
  }

  @Test("a file that is another's, no program, or runs as another") func file() throws {
    let path = try directory.write("check", "#!/bin/sh\n".utf8, mode: 0o755)
    #expect(unsafe chown(path, 4321, 0) == 0)
    #expect(fault(path) == .untrusted(path: path, .foreignOwner(uid: 4321)))
    #expect(unsafe chown(path, 0, 0) == 0)
    #expect(unsafe chmod(path, 0o644) == 0)
    #expect(fault(path) == .untrusted(path: path, .notAProgram))
    #expect(unsafe chmod(path, 0o4755) == 0)
    #expect(fault(path) == .untrusted(path: path, .setID))
    #expect(fault(directory.path) == .untrusted(path: directory.path, .notAProgram))
  }

  @Test("every directory above counts") func parents() throws {
    let inner = try directory.makeDirectory("inner", mode: 0o755)
    let path = try directory.write("inner/check", "#!/bin/sh\n".utf8, mode: 0o755)
    #expect(fault(path) == nil)
    #expect(unsafe chmod(directory.path, 0o775) == 0)
    #expect(fault(path) == .untrusted(path: directory.path, .writableByOthers(mode: 0o775)))
    #expect(unsafe chmod(directory.path, 0o755) == 0)
    #expect(unsafe chown(inner, 4321, 0) == 0)
    #expect(fault(path) == .untrusted(path: inner, .foreignOwner(uid: 4321)))
    // A sticky directory protects root's file, but others may put files beside it.
    #expect(unsafe chown(inner, 0, 0) == 0 && chmod(inner, 0o1777) == 0)
    #expect(fault(path) == .untrusted(path: inner, .writableByOthers(mode: 0o1777)))
  }

  @Test("no link is followed, neither the last part nor one above") func links() throws {
    let path = try directory.write("check", "#!/bin/sh\n".utf8, mode: 0o755)
    let link = directory.path + "/link"
    #expect(unsafe symlink(path, link) == 0)
    #expect(fault(link) == .untrusted(path: link, .symbolicLink))
    let above = directory.path + "/above"
    #expect(unsafe symlink(directory.path, above) == 0)
    #expect(fault(above + "/check") == .untrusted(path: above, .symbolicLink))
  }

  @Test("a path that is not plain, or leads nowhere") func paths() throws {
    let path = try directory.write("check", "#!/bin/sh\n".utf8, mode: 0o755)
    for odd in ["check", "", "/", path + "/", directory.path + "/./check", directory.path + "/../x/check", "/" + path] {
      #expect(fault(odd) == .untrusted(path: odd, .notAbsolute), "\(odd)")
    }
    #expect(fault(directory.path + "/none") == .untrusted(path: directory.path + "/none", .missing))
    #expect(fault(path + "/below") == .untrusted(path: path, .notADirectory))
  }
}
