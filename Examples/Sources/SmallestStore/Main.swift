import PasscodeCore
import PasscodeStore
import PasscodeValidators
import SecretMemory

/// An app's own rule, in ten lines.
struct NoCompanyName: PasscodeValidationDelegate {
  let id = "noCompanyName"
  let requirement: String? = "without the company's name"

  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    let name = Array("acme".utf8)
    guard candidate.count >= name.count else { return }
    for start in 0...candidate.count - name.count
    where name.indices.allSatisfy({ candidate[start + $0] | 0x20 == name[$0] }) {
      throw PasscodeRejection("not with the company's name")
    }
  }
}

@main
enum SmallestStore {
  static func main() throws {
    var policy = PasscodePolicy()
    policy.minLength = 10
    let engine = try PolicyEngine(policy: policy, validators: [StrengthValidator(minimumScore: 3), NoCompanyName()])

    for candidate in ["acme-2026!", "amber-lantern-49"] {
      let passcode = try SecretBytes(copying: Array(candidate.utf8).span)
      let verdict = engine.judge(passcode.bytes)
      print(candidate, verdict.isMet ? "is fine" : "needs: " + verdict.unmet.map(\.text).joined(separator: ", "))
      guard verdict.isMet else { continue }

      let store = try CredentialStore.inMemory(passcode: passcode, engine: engine)
      try store.put("service/token", secret: try SecretBytes(copying: Array("t0k3n".utf8).span))
      store.lock()
      print("unlock:", try store.unlock(passcode))
      try store.withSecret("service/token") { secret in print("a secret of", secret.count, "bytes") }
    }
  }
}
