import PasscodePlatform
import TestSupport
import Testing

func readFile(_ path: String) throws -> [UInt8] { try Files.read(path, limit: 64 << 20) }

extension CommandResult {
  func expectExit(_ code: Int32, _ name: String, at location: SourceLocation = #_sourceLocation) {
    #expect(status == .exited(code), "\(name): \(errorText)", sourceLocation: location)
  }
}

extension PasscodePlatform.ExitStatus {
  func expect(_ code: Int32, at location: SourceLocation = #_sourceLocation) {
    #expect(self == .exited(code), sourceLocation: location)
  }
}

extension String {
  /// In how many pieces `separator` cuts it.
  func components(of separator: String) -> Int {
    let (text, part) = (Array(utf8), Array(separator.utf8))
    return text.indices.count { text[$0...].starts(with: part) } + 1
  }
}
