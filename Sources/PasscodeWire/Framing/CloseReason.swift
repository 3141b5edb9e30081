public import StrictJSON

/// Why a connection is closed without a reply. Says nothing of what was sent.
public enum CloseReason: Error, Equatable, Sendable {
  /// A message is longer than ``WireLimits/maximumMessageByteCount``.
  case tooLarge
  /// A message is not JSON.
  case notJSON(JSONFault.Reason)
  /// A message is no object.
  case notAnObject
  /// A key has a value of a type that it can't have.
  case wrongType
  /// A call names no method, or one of more than ``WireLimits/maximumMethodNameByteCount`` bytes.
  case noMethod
  /// A key is unknown, and is not one of a vendor (which would have a dot).
  case unknownKey
  /// An object has the same key twice.
  case duplicateKey
  /// There are more keys than ``WireLimits/maximumKeyCount``.
  case tooManyKeys
  /// More than one of `oneway`, `more` and `upgrade`.
  case conflictingFlags
}
