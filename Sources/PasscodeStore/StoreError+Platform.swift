internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform

extension StoreError {
  /// What a failed call on the file system means for the store.
  init(_ error: PlatformError) {
    switch error {
    case .system(let call), .file(_, let call): self.init(errno: call.errno)
    case .secretMemory(let error): self = .secretMemory(error)
    default: self = .storage(.denied)
    }
  }

  /// A missing file is named by whoever looks for it: here it is a failure like any other, never *no store*.
  init(errno: Int32) {
    switch errno {
    case EEXIST: self = .storeExists
    case ENOSPC, EDQUOT: self = .storage(.full)
    case EROFS: self = .storage(.readOnly)
    case EACCES, EPERM, ELOOP: self = .storage(.denied)
    default: self = .storage(.inputOutput(code: errno))
    }
  }

  /// Whether the disk said no.
  var isOfStorage: Bool { if case .storage = self { true } else { false } }
}

/// Runs calls on the file system; a failure is the store's.
func onFiles<R: ~Copyable>(_ body: () throws(PlatformError) -> R) throws(StoreError) -> R {
  do { return try body() } catch { throw StoreError(error) }
}
