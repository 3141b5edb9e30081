internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods that tell how the daemon and its surroundings are. None keeps the store open.
extension Session {
  func answerDiagnosis(_ method: WireMethod, _ replies: inout Replies) throws(WireError) {
    if method == .diagnose {
      let findings = Diagnosis(service).findings
      try replies.reply { $0.messages(.findings, findings) }
    } else {
      try report(&replies)
    }
  }

  private func report(_ replies: inout Replies) throws(WireError) {
    let policy = service.readPolicy()
    let situation = service.situation
    let digest = policy.effective.policy.digest
    var expiresAt: Int64?
    service.holder.withOpenStore { expiresAt = $0.passcodeExpiresAt }
    try replies.reply { reply in
      reply.word(.state, WireState(situation))
      reply.string(.policyDigest, digest.hex)
      reply.messages(.policyFiles, policy.files.map(WirePolicyFile.init))
      reply.integer(.passcodeExpiresAt, expiresAt.map { Int($0) })
      reply.bool(.memoryLocked, LockedMemory.isLocked)
      reply.string(.version, service.configuration.version)
    }
  }
}
