import Glibc
import PasscodePlatform
import PasscodeWire
import TestSupport
import Testing

@testable import PasscodeService

/// Serves the certification beside our own interfaces.
private final class CertifiedSession: CallHandler {
  private let certification: Certification
  private let next: any CallHandler

  init(_ certification: Certification, before next: any CallHandler) {
    self.certification = certification
    self.next = next
  }

  var idleLimit: Duration? { next.idleLimit }

  func answer(_ call: CallLayout, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    guard Certification.has(call) else { return try next.answer(call, fields, &replies) }
    try replies.reply { (reply) throws(WireError) in try certification.answer(call, fields, &reply) }
  }
}

@Suite struct CertificationTests {
  private static let python = unsafe getenv("PASSCODE_PYTHON").map { unsafe String(cString: $0) }

  @Test(
    "the official certification client passes against the daemon's server",
    .enabled(if: python != nil, "$PASSCODE_PYTHON names no Python with varlink; scripts/test makes one"))
  func certification() throws {
    let certification = Certification()
    let test = try TestDaemon(
      catalog: Certification.catalog, extending: { CertifiedSession(certification, before: $0) })
    let result = try Command(
      try #require(Self.python),
      ["-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(test.socket.path)"],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    ).run()
    #expect(result.status == .exited(0), "\(result.outputText) \(result.errorText)")
    #expect(result.outputText.contains("Certification passed"), "\(result.outputText) \(result.errorText)")
  }
}
