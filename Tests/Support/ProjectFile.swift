import PasscodePlatform

/// A file of the project.
///
/// - Parameter path: from the project's top.
public func projectFile(_ path: String) throws -> [UInt8] {
  let top = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  return try Files.read("\(top)/\(path)", limit: 1 << 20)
}
