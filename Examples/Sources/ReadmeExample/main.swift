import PasscodeCore
import PasscodeStore
import PasscodeValidators
import SecretMemory

func run() async throws {
  var policy = PasscodePolicy()
  policy.minLength = 12
  let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts(userName: "ann"))  // + [NoCompanyName()]
  let engine = try PolicyEngine(policy: policy, patterns: PCRE2Patterns(), validators: validators)

  // Locked memory with one owner, wiped at its end. Yours takes what is typed, byte by byte: append(_:).
  let passcode = try SecretBytes(copying: Array("amber-lantern-49-orbit-mule".utf8).span)

  let store: CredentialStore
  do { store = try .open(at: "app.db", engine: engine) } catch {
    guard error == .noStore else { throw error }
    let unmet = engine.judge(passcode.bytes).unmet
    guard unmet.isEmpty else { return print("choose another:", unmet.map(\.text)) }
    store = try .create(at: "app.db", passcode: passcode, engine: engine)
  }
  switch try await store.unlock(passcode.copy()) {  // takes the copy over, and does not block
  case .right: print("unlocked")
  case .mustChange(let reason): return print("to be changed:", reason)
  case .wrong(let tries): return print("wrong;", tries.triesRemaining ?? -1, "tries left")
  }
  try store.put("service/token", secret: SecretBytes(copying: Array("t0k3n".utf8).span))
  try store.withSecret("service/token") { bytes in print("a secret of", bytes.count, "bytes") }
}

try await run()
