import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct SocketPathTests {
  let root: TemporaryDirectory
  let account: AccountFacts

  init() throws {
    root = try TemporaryDirectory()
    account = AccountFacts(uid: geteuid(), userName: "mia", fullName: "", home: root.path, hostName: "")
  }

  private func resolve(_ variables: [String: String], option: String? = nil, run: String = "none") throws -> SocketPath {
    try SocketPath.resolve(
      option: option, environment: ProcessEnvironment(variables), account: account, userRuntimeDirectory: root.file(run))
  }

  @Test("SC-64: the option, the variable, the runtime directories, the state directory: in this order")
  func order() throws {
    let runtime = try root.makeDirectory("runtime")
    try root.makeDirectory("run")
    let all = ["PASSCODED_SOCKET": "/v/s", "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": "/state"]
    #expect(try resolve(all, option: "/o/s", run: "run") == SocketPath("/o/s", source: .option))
    #expect(try resolve(all, run: "run") == SocketPath("/v/s", source: .variable))
    let rest = all.filter { $0.key != "PASSCODED_SOCKET" }
    #expect(try resolve(rest, run: "run") == SocketPath(runtime + "/passcoded/socket", source: .runtimeDirectory))
    let state = ["XDG_STATE_HOME": "/state"]
    #expect(
      try resolve(state, run: "run") == SocketPath(root.file("run/passcoded/socket"), source: .userRuntimeDirectory))
    #expect(try resolve(state) == SocketPath("/state/passcoded/run/socket", source: .stateDirectory))
    #expect(try resolve([:]).path == root.file(".local/state/passcoded/run/socket"))
  }

  @Test("SC-31: a runtime directory that is unset, empty, relative, missing or a file is passed over")
  func passedOver() throws {
    let file = try root.write("file", [])
    for value in ["", "relative", root.file("missing"), file, file + "/below"] {
      #expect(try resolve(["XDG_RUNTIME_DIR": value, "XDG_STATE_HOME": "/s"]).source == .stateDirectory)
    }
  }

  @Test("SC-31: a runtime directory of mode 0755 serves; one that others can write is refused; a sticky one serves")
  func modes() throws {
    let readable = try root.makeDirectory("readable", mode: 0o755)
    #expect(try resolve(["XDG_RUNTIME_DIR": readable]).source == .runtimeDirectory)
    let open = try root.makeDirectory("open", mode: 0o777)
    #expect(throws: PlatformError.unsafeDirectory(path: open, .writableByOthers(mode: 0o777))) {
      try resolve(["XDG_RUNTIME_DIR": open])
    }
    let sticky = try root.makeDirectory("sticky", mode: 0o1777)
    #expect(try resolve(["XDG_RUNTIME_DIR": sticky]).source == .runtimeDirectory)
  }

  @Test("SC-31: a read-only runtime directory is passed over unless ours is in it", .enabled(if: geteuid() != 0))
  func readOnly() throws {
    let runtime = try root.makeDirectory("runtime", mode: 0o500)
    #expect(try resolve(["XDG_RUNTIME_DIR": runtime]).source == .stateDirectory)
  }

  @Test("SC-32: another user's runtime directory is an error, not a silent other place", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let runtime = try root.makeDirectory("runtime")
    #expect(unsafe chown(runtime, 65_534, 65_534) == 0)
    #expect(throws: PlatformError.unsafeDirectory(path: runtime, .foreignOwner(uid: 65_534))) {
      try resolve(["XDG_RUNTIME_DIR": runtime])
    }
  }

  @Test("A path of 107 bytes serves, one of 108 gets an error that names the limit")
  func limit() throws {
    let longest = "/" + String(repeating: "s", count: 106)
    #expect(SocketPath.limit == 107)
    #expect(try SocketPath(longest).path == longest)
    let error = #expect(throws: PlatformError.self) { try SocketPath(longest + "s") }
    #expect(error == .socketPathTooLong(path: longest + "s", limit: 107))
    #expect(error?.description.contains("108 bytes long, the limit is 107") == true)
    #expect(throws: PlatformError.self) { try SocketPath("/" + String(repeating: "é", count: 54)) }
  }

  @Test("A relative path is taken from the working directory, an empty one is refused")
  func relative() throws {
    let path = try SocketPath("x/socket").path
    #expect(path.hasPrefix("/") && path.hasSuffix("/x/socket"))
    for wrong in ["", "/", "/a/", "a\0b"] { #expect(throws: PlatformError.invalidPath) { try SocketPath(wrong) } }
    #expect(try resolve(["PASSCODED_SOCKET": "", "XDG_STATE_HOME": "/s"]).source == .stateDirectory)
  }
}
