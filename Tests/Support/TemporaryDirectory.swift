internal import Glibc
internal import PasscodePlatform

/// An empty directory, mode 0700 unless asked otherwise, that is removed with everything in it when its owner ends.
public final class TemporaryDirectory: Sendable {
  /// Its path: short, so that a socket in it stays under the limit.
  public let path: String

  /// Makes one in `/tmp`, or in another directory and with another mode.
  public init(in parent: String = "/tmp", mode: UInt32 = 0o700) throws {
    var template = Array((parent + "/pc-XXXXXX").utf8CString)
    guard unsafe template.withUnsafeMutableBufferPointer({ unsafe mkdtemp($0.baseAddress!) }) != nil else {
      throw TestFailure.call("mkdtemp")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard unsafe chmod(path, mode) == 0 else { throw TestFailure.call("chmod") }
  }

  deinit { removeTree(path) }

  /// A path in it.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Makes a file in it and returns its path.
  @discardableResult
  public func write(_ name: String, _ content: some Sequence<UInt8>, mode: UInt32 = 0o600) throws -> String {
    let path = file(name)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure.call("open") }
    defer { close(descriptor) }
    let bytes = Array(content)
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
      throw TestFailure.call("write")
    }
    return path
  }

  /// Makes an executable file in it, mode 0755, and returns its path.
  ///
  /// Another process writes it: a file that this one has open for writing, and so each child that a test is just starting, could
  /// not be executed.
  @discardableResult
  public func writeProgram(_ name: String, _ text: String) throws -> String {
    let path = file(name)
    var command = Command("/bin/sh", ["-c", #"cat > "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#, path])
    command.environment = ["PATH": "/usr/bin:/bin"]
    command.input = Array(text.utf8)
    guard try command.run().status == .exited(0) else { throw TestFailure("\(path) could not be written") }
    return path
  }

  /// Makes a directory in it and returns its path.
  @discardableResult
  public func makeDirectory(_ name: String, mode: UInt32 = 0o700) throws -> String {
    let path = file(name)
    guard unsafe mkdir(path, 0o700) == 0, unsafe chmod(path, mode) == 0 else { throw TestFailure.call("mkdir") }
    return path
  }
}

/// The names in a directory, sorted, without `.` and `..`.
public func directoryEntries(_ path: String) -> [String] {
  guard let directory = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    // SAFETY: `d_name` is NUL-ended and lives until the next readdir.
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

private func removeTree(_ path: String) {
  if unsafe unlink(path) == 0 { return }
  unsafe chmod(path, 0o700)
  for name in directoryEntries(path) { removeTree(path + "/" + name) }
  unsafe rmdir(path)
}
