internal import Glibc
internal import PasscodePlatform

/// A pinentry that does what no real one can be made to do: a shell script, for each command what it answers.
public final class ScriptedPinentry: Sendable {
  /// Where it and what it notes lie.
  public let directory: TemporaryDirectory
  /// The program.
  public let path: String

  /// Writes the script.
  ///
  /// - Parameter cases: of `case $line in …`; what is not named is answered with OK.
  public init(greeting: String = "echo OK", _ cases: String) throws {
    directory = try TemporaryDirectory()
    path = directory.file("pinentry")
    let log = directory.file("log")
    let script = """
      #!/bin/sh
      tr '\\0' '\\n' </proc/$$/cmdline >\(directory.file("arguments"))
      tr '\\0' '\\n' </proc/$$/environ >\(directory.file("environment"))
      ls /proc/$$/fd >\(directory.file("descriptors"))
      echo $$ >\(directory.file("pid"))
      \(greeting)
      while IFS= read -r line; do
        printf '%s\\n' "$line" >>\(log)
        case $line in
        \(cases)
        BYE) echo OK; exit 0 ;;
        *) echo OK ;;
        esac
      done
      """
    // Written by another process: a program that a parallel test starts meanwhile would keep it open for writing, and a file
    // that is written can't be started.
    var writer = Command("/bin/sh", ["-c", "cat >\"$0\" && chmod 700 \"$0\"", path], environment: ["PATH": "/usr/bin:/bin"])
    writer.input = Array(script.utf8)
    guard try writer.run().status == .exited(0) else { throw TestFailure("\(path) could not be written") }
  }

  /// What it was sent.
  public var log: [String] { lines("log") }

  /// The lines of what it notes under a name.
  public func lines(_ name: String) -> [String] {
    let bytes = (try? Files.read(directory.file(name), limit: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Whether it, or the program that wrote its pid to a file of this name, has ended; its parent may still have to notice.
  public func isGone(_ name: String = "pid") -> Bool {
    guard let pid = lines(name).first else { return false }
    // A killed process takes a moment to end.
    for _ in 0..<10_000 {
      guard let status = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return true }
      if String(decoding: status, as: UTF8.self).contains(") Z ") { return true }
      usleep(1000)
    }
    return false
  }
}
