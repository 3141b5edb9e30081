internal import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// The optional key outside the store: 32 bytes in a file of mode 0600, made once and never overwritten.
struct DeviceKeyFile: Sendable {
  let path: String

  /// The key and its id.
  ///
  /// - Throws: `deviceKeyMissing` where the file is missing, unreadable, open to others or not 32 bytes long.
  func load() throws(StoreError) -> DeviceKey {
    do {
      guard let status = try Files.status(of: path, followingLink: false), status.kind == .file, status.mode & 0o077 == 0
      else { throw StoreError.deviceKeyMissing }
      let file = try Files.open(path, .read, followingLink: false)
      var bytes = try SecretBytes(capacity: DeviceKey.byteCount + 1)
      while try bytes.count < bytes.capacity && file.read(into: &bytes) > 0 {}
      guard bytes.count == DeviceKey.byteCount else { throw StoreError.deviceKeyMissing }
      return try DeviceKey(copying: bytes.bytes)
    } catch let error as SecretMemoryError { throw .secretMemory(error) } catch { throw .deviceKeyMissing }
  }

  /// The key; made, durably, where there is none yet.
  ///
  /// - Throws: `deviceKeyMissing` where something else stands there; `storage`.
  func loadOrMake() throws(StoreError) -> DeviceKey {
    do {
      if try Files.status(of: path, followingLink: false) == nil {
        let key = try DeviceKey.random()
        try AtomicFile.write(key.bytes, to: path, overwriting: false)
      }
    } catch let error as SecretMemoryError { throw .secretMemory(error) } catch let error as PlatformError {
      // Another process was faster.
      guard StoreError(error) == .storeExists else { throw StoreError(error) }
    } catch { throw .deviceKeyMissing }
    return try load()
  }
}

extension DeviceKeyID {
  /// The id of a device key: a digest that gives nothing of it away.
  init(of key: borrowing DeviceKey) {
    self.init(
      unchecked: Array(BLAKE2b.keyed(label: "passcoded/v1/device-key-id", Span(), Span(), using: key).bytes.prefix(16)))
  }
}
