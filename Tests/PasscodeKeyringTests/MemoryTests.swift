import Glibc
import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import TestSupport
import Testing

/// Another process stops the helper at its exit and looks for the secret in its memory.
@Suite(.enabled(if: isObservable, "needs root, python3 and a keyring"))
struct MemoryTests {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  @Test("At its end the helper's memory holds nothing of the secret, stored or loaded", arguments: ["store", "load"])
  func wiped(verb: String) throws {
    let session = try DesktopSession(home: home, password: "password")
    let result = try Command(
      python, ["-c", Self.observer, try binary(named: "passcode-keyring"), verb],
      environment: session.environment.merging(["LD_BIND_NOW": "1"]) { $1 }
    ).run()
    #expect(result.status == .exited(0), "\(result.errorText)")
    // The control: what the scan finds while the helper still reads its request.
    #expect(result.outputText == (verb == "store" ? "while reading 1\nat exit 0\n" : "at exit 0\n"), "\(result.outputText)")
  }

  private static let observer = """
    import ctypes, os, platform, subprocess, sys, time
    program, verb = sys.argv[1:]
    secret, head = os.urandom(32), bytes(16) + bytes(7) + b"\\1"
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    SEIZE, CONT, TRACE_EXIT, EVENT_EXIT = 0x4206, 7, 0x40, 6

    def hits(pid):
        pieces, found = [secret[at:at + 8] for at in range(0, 32, 8)], 0
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                span, access = line.split()[:2]
                if access[1] != "w": continue
                start, end = (int(part, 16) for part in span.split("-"))
                try:
                    memory.seek(start)
                    content = memory.read(end - start)
                except OSError: continue
                found += any(piece in content for piece in pieces)
        return found

    def start():
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return subprocess.Popen([program], **pipes)

    def ask(helper, message):
        helper.stdin.write(message)
        helper.stdin.flush()

    if verb == "load":
        helper = start()
        assert helper.communicate(b"\\1\\1" + head + secret)[0] == b"\\0"
    helper = start()
    reading = {"x86_64": "0 0x0 ", "aarch64": "63 0x0 "}[platform.machine()]
    def waits():
        with open(f"/proc/{helper.pid}/syscall") as call: return call.read().startswith(reading)
    while not waits(): time.sleep(0.01)
    assert libc.ptrace(SEIZE, helper.pid, None, TRACE_EXIT) == 0, ctypes.get_errno()
    if verb == "store":
        ask(helper, b"\\1\\1" + head + secret)
        while not (waits() and hits(helper.pid)): time.sleep(0.01)
        print("while reading", hits(helper.pid))
    else:
        ask(helper, b"\\1\\2" + head)
    helper.stdin.close()
    while True:
        _, status = os.waitpid(helper.pid, 0)
        if status >> 16 == EVENT_EXIT: break
        libc.ptrace(CONT, helper.pid, None, os.WSTOPSIG(status))
    print("at exit", hits(helper.pid))
    assert helper.stdout.read(33) == (b"\\0" if verb == "store" else b"\\0" + secret)
    libc.ptrace(CONT, helper.pid, None, None)
    """
}

private let python = ProcessEnvironment.current()["PASSCODE_PYTHON"] ?? "/usr/bin/python3"
private let isObservable = unsafe geteuid() == 0 && access(python, X_OK) == 0 && DesktopSession.isInstalled
