internal import Glibc
internal import PasscodePlatform

/// The path of a built program: in `$PASSCODE_BIN`, else beside the running test bundle.
public func binary(named name: String) throws -> String {
  if let directory = ProcessEnvironment.current()["PASSCODE_BIN"] { return directory + "/" + name }
  let bundle = try ExecutablePath.current()
  guard let slash = bundle.lastIndex(of: "/") else { throw TestFailure("no directory in \(bundle)") }
  let path = bundle[..<slash] + "/" + name
  guard unsafe access(String(path), X_OK) == 0 else { throw TestFailure("\(path) is not built") }
  return String(path)
}
