internal import Glibc

/// What a test's own machinery could not do.
public struct TestFailure: Error, CustomStringConvertible {
  /// What it was.
  public let description: String

  /// A failure with these words.
  public init(_ description: String) { self.description = description }

  /// A failed call with its errno.
  static func call(_ name: String) -> TestFailure { TestFailure("\(name): \(unsafe String(cString: strerror(errno)))") }
}
