public import SecretMemory
internal import StrictJSON

extension PasscodePolicy {
  /// Names the policy by its content: two policies that say the same have the same digest.
  public var digest: Digest {
    var writer = JSONWriter(ByteSink())
    write(to: &writer)
    let sink = writer.finish()
    return BLAKE2b.unkeyed(sink.bytes.span)
  }
}
