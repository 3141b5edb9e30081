import CLinux
import Glibc
import TestSupport
import Testing

@testable import PasscodePlatform

struct HardeningTests {
  /// Runs `body` in a process of one thread: no other one can take a number that is free for a moment.
  private static func alone(_ body: () -> Bool) -> Bool {
    let job = fork()
    if job == 0 { _exit(body() ? 0 : 1) }
    var status: Int32 = 0
    return unsafe waitpid(job, &status, 0) == job && status == 0
  }

  @Test("After hardening nobody else can read the process, and no core is written")
  func closed() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let findings = ProcessHardening.apply(.client, environment: ProcessEnvironment([:]))
      var limit = rlimit()
      _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      let isClosed = findings.isEmpty && !ProcessHardening.isDumpable && limit.rlim_cur == 0 && limit.rlim_max == 0
      exit(isClosed && umask(0) == 0o077 ? 7 : 1)
    }
  }

  @Test("After hardening a file that may not grow is an error to its writer, and no signal ends the process")
  func fileSizeLimit() async {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = ProcessHardening.apply(.client, environment: ProcessEnvironment([:]))
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      var name = Array("/tmp/pc-XXXXXX".utf8CString)
      let file = unsafe mkstemp(&name)
      _ = unsafe unlink(name)
      guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none) == 0, file >= 0 else { exit(1) }
      exit(unsafe write(file, "x", 1) < 0 && errno == EFBIG ? 7 : 1)
    }
  }

  @Test("A daemon keeps 0 to 2 and loses what it inherited, a client keeps what it was handed")
  func inherited() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let isRight = Self.alone {
        let handed = fcntl(2, F_DUPFD, 200)
        _ = ProcessHardening.apply(.client, environment: ProcessEnvironment([:]))
        let isKept = fcntl(handed, F_GETFD) >= 0
        _ = ProcessHardening.apply(.daemon, environment: ProcessEnvironment([:]))
        let isClosed = fcntl(handed, F_GETFD) < 0 && fcntl(3, F_GETFD) < 0
        return isKept && isClosed && (0...2).allSatisfy { fcntl($0, F_GETFD) >= 0 }
      }
      exit(isRight ? 7 : 1)
    }
  }

  @Test("A daemon keeps the sockets of its service manager, closed on exec")
  func serviceManager() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let isRight = Self.alone {
        for number: Int32 in 3...5 { dup2(2, number) }
        let environment = ProcessEnvironment(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"])
        _ = ProcessHardening.apply(.daemon, environment: environment)
        return fcntl(3, F_GETFD) == FD_CLOEXEC && fcntl(4, F_GETFD) == FD_CLOEXEC && fcntl(5, F_GETFD) < 0
      }
      exit(isRight ? 7 : 1)
    }
  }

  @Test("Missing standard descriptors are opened, so that no file lands on them")
  func standardDescriptors() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let isRight = Self.alone {
        close(0)
        close(2)
        let findings = ProcessHardening.apply(.client, environment: ProcessEnvironment([:]))
        return findings.isEmpty && (0...2).allSatisfy { fcntl($0, F_GETFD) == 0 }
      }
      exit(isRight ? 7 : 1)
    }
  }

  @Test("Foreign code and a tracer are found, each in its words")
  func findings() async {
    #expect(ProcessHardening.tracer(inStatus: "Name:\tx\nTracerPid:\t4711\nUid:\t0\n") == 4711)
    #expect(ProcessHardening.tracer(inStatus: "Name:\tx\nTracerPid:\t0\n") == nil)
    #expect(ProcessHardening.tracer(inStatus: "") == nil)
    #expect(HardeningFinding.preload(variable: "LD_PRELOAD").description.contains("unset it"))
    await #expect(processExitsWith: .exitCode(7)) {
      let environment = ProcessEnvironment(["LD_PRELOAD": "/x.so", "LD_AUDIT": "/y.so", "LD_LIBRARY_PATH": "/z"])
      let findings = ProcessHardening.apply(.client, environment: environment)
      exit(findings == [.preload(variable: "LD_PRELOAD"), .preload(variable: "LD_AUDIT")] ? 7 : 1)
    }
  }

  @Test("A blocked signal is waited for as a value")
  func signals() async {
    await #expect(processExitsWith: .exitCode(Signals.hangUp)) {
      Signals.block([Signals.terminate, Signals.interrupt, Signals.hangUp])
      raise(Signals.hangUp)
      exit(Signals.wait(for: [Signals.terminate, Signals.interrupt, Signals.hangUp]))
    }
  }

  @Test("What is set in the environment is seen, an empty value counts as unset")
  func environment() {
    let environment = ProcessEnvironment(["A": "", "B": "=x=", "C": "/c"])
    #expect(environment["A"] == nil && environment.isSet("A") && !environment.isSet("Z"))
    #expect(environment["B"] == "=x=" && environment.absolutePath("B") == nil && environment.absolutePath("C") == "/c")
    #expect(ProcessEnvironment.current()["PATH"] != nil)
  }
}
