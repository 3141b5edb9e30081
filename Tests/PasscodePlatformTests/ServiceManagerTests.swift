import CLinux
import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("Notices reach the manager's socket, in the file system and by an abstract name", arguments: [true, false])
  func told(abstract: Bool) throws {
    let name = abstract ? "@passcoded-test-\(getpid())" : directory.file("notify")
    let socket = try NoticeSocket(name)
    let manager = try #require(ServiceManager(environment: ProcessEnvironment(["NOTIFY_SOCKET": name])))
    try manager.tell([.ready, .status("locked")])
    #expect(socket.next() == "READY=1\nSTATUS=locked")
    try manager.tell([.reloading])
    let reloading = socket.next().split(separator: "\n")
    #expect(reloading.first == "RELOADING=1" && reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
    try manager.tell([.watchdog])
    #expect(socket.next() == "WATCHDOG=1")
    try manager.tell([.stopping])
    #expect(socket.next() == "STOPPING=1")
  }

  @Test("A manager that is gone, or an address that is none, is an error and holds nobody up")
  func unreachable() throws {
    for (name, errno) in [
      (directory.file("nobody"), ENOENT), ("relative", EINVAL), ("@", EINVAL), ("vsock:2:1", EINVAL),
      ("/" + String(repeating: "x", count: 107), ENAMETOOLONG),
    ] {
      let manager = try #require(ServiceManager(environment: ProcessEnvironment(["NOTIFY_SOCKET": name])))
      #expect(throws: PlatformError.system(SyscallError("sendto", errno))) { try manager.tell([.ready]) }
    }
    #expect(ServiceManager(environment: ProcessEnvironment([:])) == nil)
    #expect(ServiceManager(environment: ProcessEnvironment(["NOTIFY_SOCKET": ""])) == nil)
  }

  @Test("A manager that does not read holds nobody up: it is an error at once")
  func full() throws {
    let name = directory.file("notify")
    let socket = try NoticeSocket(name)
    let manager = try #require(ServiceManager(environment: ProcessEnvironment(["NOTIFY_SOCKET": name])))
    let busy = #expect(throws: PlatformError.self) { while true { try manager.tell([.watchdog]) } }
    #expect(busy == .system(SyscallError("sendto", EAGAIN)))
    #expect(socket.next() == "WATCHDOG=1")
    try manager.tell([.ready])
  }

  @Test("The watchdog counts where it names this process or none")
  func watchdog() {
    func limit(_ variables: [String: String]) -> Duration? {
      let all = variables.merging(["NOTIFY_SOCKET": "/x"]) { $1 }
      return ServiceManager(environment: ProcessEnvironment(all))?.watchdogLimit
    }
    #expect(limit(["WATCHDOG_USEC": "60000000"]) == .seconds(60))
    #expect(limit(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(60))
    #expect(limit(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "x"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "0"]) == nil)
    #expect(limit([:]) == nil)
  }

  @Test("What a manager put into the environment is not there for children")
  func forgotten() async {
    await #expect(processExitsWith: .success) {
      let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]
      for name in names { unsafe setenv(name, "1", 1) }
      ServiceManager.forgetVariables()
      exit(names.allSatisfy { !ProcessEnvironment.current().isSet($0) } ? 0 : 1)
    }
  }
}
