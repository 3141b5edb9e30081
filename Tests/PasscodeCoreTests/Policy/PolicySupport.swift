import PasscodeCore
import SecretMemory
import StrictJSON
import Testing

/// A policy file from its text.
func parsePolicy(_ text: String, _ role: PolicyRole = .user) throws(PolicyFileFault) -> PolicyFile {
  try PolicyFile.parse(text.utf8Span.span, role: role)
}

/// The faults of a text, as sentences.
func policyFaults(_ text: String, _ role: PolicyRole = .user) -> [String] {
  do {
    _ = try parsePolicy(text, role)
    return []
  } catch {
    return ([error] + error.further).map(\.description)
  }
}

/// A verdict on a text as a person would type it.
func judge(_ text: String, by engine: PolicyEngine) throws -> PolicyVerdict {
  let normal = try PasscodeText.normalize(text.utf8Span.span)
  return engine.judge(normal.bytes)
}

/// The ids of what a text does not meet.
func unmetIDs(_ text: String, _ change: (inout PasscodePolicy) -> Void) throws -> [String] {
  var policy = PasscodePolicy()
  policy.minLength = 1
  change(&policy)
  return try judge(text, by: PolicyEngine(policy: policy)).unmet.map(\.id)
}

/// A policy as text.
func written(_ policy: PasscodePolicy) -> String {
  var writer = JSONWriter(ByteSink(), pretty: true)
  policy.write(to: &writer)
  return String(decoding: writer.finish().bytes, as: UTF8.self)
}
