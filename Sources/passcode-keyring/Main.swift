internal import CKeyring
internal import PasscodeCore
internal import PasscodeKeyring
internal import PasscodePlatform
internal import SecretMemory

/// The process that talks to the OS keyring for `passcoded` and for apps: one request on its standard input, one reply on its
/// standard output (`KeyringMessage` has the bytes), and it ends. It alone holds GLib, and it writes nothing but the reply.
@main
enum Main {
  static func main() {
    // Before anything else: from here on nobody new can look into this process.
    let findings = ProcessHardening.apply(.daemon)
    // An orphan of a caller that was killed ends too.
    ckeyring_prepare(10)
    let output = FileDescriptor(owning: 1)
    do {
      var reply = try SecretBytes(capacity: KeyringMessage.maximumReplyByteCount)
      try answer(isSafe: findings.isEmpty, &reply)
      try output.writeAll(reply.bytes)
    } catch {
      // The caller sees the end of the output, and no reply.
    }
  }

  private static func answer(isSafe: Bool, _ reply: inout SecretBytes) throws {
    let message = try readMessage()
    var secret = try SecretBytes(capacity: KeyringMessage.secretByteCount)
    var status = KeyringMessage.Status.failed
    if isSafe, let request = KeyringMessage.Request(message.bytes) {
      status = perform(request, stored: KeyringMessage.secret(of: message.bytes), loaded: &secret)
    }
    try reply.append(status.rawValue)
    try reply.append(contentsOf: secret.bytes)
  }

  private static func readMessage() throws -> SecretBytes {
    let input = FileDescriptor(owning: 0)
    var message = try SecretBytes(capacity: KeyringMessage.maximumRequestByteCount + 1)
    while message.count < message.capacity, try input.read(into: &message) > 0 {}
    return message
  }

  private static func perform(
    _ request: KeyringMessage.Request, stored: Span<UInt8>, loaded: inout SecretBytes
  ) -> KeyringMessage.Status {
    let store = request.store.bytes
    switch request.verb {
    case .probe: return KeyringMessage.Status(ckeyring_probe())
    case .delete: return KeyringMessage.Status(unsafe ckeyring_delete(store))
    case .store:
      return unsafe stored.withUnsafeBufferPointer {
        KeyringMessage.Status(unsafe ckeyring_store(store, request.generation, $0.baseAddress!))
      }
    case .load:
      var status = CKEYRING_FAILED
      unsafe loaded.withFreeSpace { space in
        // SAFETY: the space is as long as a secret.
        let bytes = unsafe space.baseAddress!.assumingMemoryBound(to: UInt8.self)
        status = unsafe ckeyring_load(store, request.generation, bytes)
        return status == CKEYRING_OK ? KeyringMessage.secretByteCount : 0
      }
      return KeyringMessage.Status(status)
    }
  }
}

extension KeyringMessage.Status {
  fileprivate init(_ status: ckeyring_status) {
    self =
      switch status {
      case CKEYRING_OK: .done
      case CKEYRING_ABSENT: .absent
      case CKEYRING_OTHER_STORE: .otherStore
      case CKEYRING_OLDER: .older
      case CKEYRING_NEWER: .newer
      case CKEYRING_FOREIGN: .foreign
      case CKEYRING_LOCKED: .locked
      case CKEYRING_WOULD_ASK: .wouldAsk
      case CKEYRING_NO_COLLECTION: .noCollection
      case CKEYRING_NO_BUS: .noBus
      case CKEYRING_NO_SERVICE: .noService
      default: .failed
      }
  }
}
