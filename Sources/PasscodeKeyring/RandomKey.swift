internal import SecretMemory

extension SecretBytes {
  /// Thirty-two fresh random bytes.
  static func randomKey() throws(KeyringObstacle) -> SecretBytes {
    do throws(SecretMemoryError) {
      var key = try SecretBytes(capacity: KeyringMessage.secretByteCount)
      for _ in 0..<key.capacity { try key.append(0) }
      key.randomize()
      return key
    } catch {
      throw .secretMemory(error)
    }
  }

  private mutating func randomize() {
    var bytes = mutableBytes
    SecureRandom.fill(&bytes)
  }
}
