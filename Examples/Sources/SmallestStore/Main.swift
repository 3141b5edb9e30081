import PasscodeCore
import PasscodeStore
import PasscodeValidators
import SecretMemory

/// An app's own rule, in ten lines.
struct NoCompanyName: PasscodeValidationDelegate {
  let id = "noCompanyName"
  let requirement: String? = "without the company's name"  // leave it out: asked last, when all else is met, and not listed
  // `let turn = ValidationTurn.lastWhenSet` asks a slow one last of all, and only about what is being set

  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    let name = Array("acme".utf8)
    guard candidate.count >= name.count else { return }
    for start in 0...candidate.count - name.count
    where name.indices.allSatisfy({ candidate[start + $0] | 0x20 == name[$0] }) {
      throw PasscodeRejection("contains the company's name")
    }
  }
}

@main
enum SmallestStore {
  static func main() throws {
    var policy = PasscodePolicy()
    policy.minLength = 10
    let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts(userName: "jdoe")) + [NoCompanyName()]
    let engine = try PolicyEngine(policy: policy, patterns: PCRE2Patterns(), validators: validators)
    let candidate = try SecretBytes(copying: Array("acme-2026!".utf8).span)
    for requirement in engine.judge(candidate.bytes).unmet { print("to be met:", requirement.text) }

    let passcode = try SecretBytes(copying: Array("amber-lantern-49".utf8).span)
    print("is fine:", engine.judge(passcode.bytes).isMet)
    let store = try CredentialStore.inMemory(passcode: passcode, engine: engine)
    try store.put("service/token", secret: try SecretBytes(copying: Array("t0k3n".utf8).span))
    store.lock()
    print("unlock:", try store.unlock(passcode))
    try store.withSecret("service/token") { secret in print("a secret of", secret.count, "bytes") }
  }
}
