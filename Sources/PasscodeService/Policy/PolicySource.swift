internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeValidators

/// The two policy files, read again at each flow and at SIGHUP.
///
/// A faulty file leaves the last good version in force, and the default where there is none: nobody is cut off from a store by
/// a slip in a file. The administrator's faulty file keeps new passcodes from being set.
final class PolicySource: Sendable {
  private struct State {
    var administrator: PolicyFile?
    var user: PolicyFile?
    /// Nil before the files were first read.
    var policy: PolicyInForce?
  }

  private let paths: ServiceConfiguration.PolicyPaths
  private let facts: PersonalFacts
  private let log: ServiceLog
  private let state = Monitor(State())

  init(_ paths: ServiceConfiguration.PolicyPaths, facts: PersonalFacts, log: ServiceLog) {
    self.paths = paths
    self.facts = facts
    self.log = log
  }

  /// The policy as it was last read.
  var current: PolicyInForce { state.withLock { $0.policy } ?? read() }

  /// What of it every `get` asks for: the policy itself is large to copy.
  var askEachTime: [String] {
    state.withLock { $0.policy?.effective.policy.askEachTime } ?? read().effective.policy.askEachTime
  }

  /// Reads the files again.
  @discardableResult
  func read() -> PolicyInForce {
    let contents = (PolicyFileContent(paths.administrator, .administrator), PolicyFileContent(paths.user, .user))
    let (before, after) = state.withLock { state in
      let before = state.policy
      let after = assemble(contents.0, contents.1, &state)
      state.policy = after
      return (before, after)
    }
    for file in after.files where before?.files.contains(file) != true {
      if let fault = file.fault { log.note(.policyFault(fault.description)) }
    }
    return after
  }

  // MARK: - Putting together

  private func assemble(_ administrator: PolicyFileContent, _ user: PolicyFileContent, _ state: inout State) -> PolicyInForce {
    let assembly = PolicyAssembly(facts)
    let administratorFile = settle(administrator, .administrator, paths.administrator, &state.administrator) { file in
      try assembly.policy(file, nil, files: [])
    }
    let floor = state.administrator
    let userFile = settle(user, .user, paths.user, &state.user) { file in try assembly.policy(floor, file, files: []) }
    let files = [administratorFile, userFile]
    // What is kept may have lost a list that it names since it was read: then less of it has to do.
    let policy =
      (try? assembly.policy(floor, state.user, files: files)) ?? (try? assembly.policy(floor, nil, files: files))
      ?? (try? assembly.policy(nil, nil, files: files))
    guard let policy else { preconditionFailure("the default policy needs nothing that could be missing") }
    return policy
  }

  /// Takes a good file that can be put to work; a faulty one leaves the last good one.
  private func settle(
    _ content: PolicyFileContent, _ role: PolicyRole, _ path: String, _ kept: inout PolicyFile?,
    _ tryOut: (PolicyFile) throws -> PolicyInForce
  ) -> PolicyFileReport {
    func report(_ state: PolicyFileReport.State) -> PolicyFileReport { PolicyFileReport(path: path, role: role, state: state) }
    switch content {
    case .absent:
      kept = nil
      return report(.absent)
    case .faulty(let faults): return report(.faulty(faults[0]))
    case .good(let file, let text):
      do { _ = try tryOut(file) } catch {
        return report(.faulty(FaultyPolicyFile(text, "\(error)", at: PolicyText.path(in: error))))
      }
      kept = file
      return report(.inForce)
    }
  }
}

/// Puts files together and makes the engines.
struct PolicyAssembly {
  private let facts: PersonalFacts

  init(_ facts: PersonalFacts) { self.facts = facts }

  /// - Throws: `ValidatorFault`, `PolicyFault`: what the files name is not there.
  func policy(
    _ administrator: PolicyFile?, _ user: PolicyFile?, files: [PolicyFileReport]
  ) throws -> PolicyInForce {
    let effective = EffectivePolicy.merge(administrator: administrator, user: user)
    let validators = try BuiltInValidators.make(for: effective.policy, facts: facts)
    func engine(_ policy: PasscodePolicy) throws(PolicyFault) -> PolicyEngine {
      try PolicyEngine(policy: policy, patterns: PCRE2Patterns(), validators: validators)
    }
    let plain = try engine(effective.policy)
    guard effective.isWipeProposed else { return PolicyInForce(effective, engine: plain, wipingEngine: plain, files: files) }
    var wiping = effective.policy
    wiping.onRetryLimit = .wipe
    return PolicyInForce(effective, engine: plain, wipingEngine: try engine(wiping), files: files)
  }
}
