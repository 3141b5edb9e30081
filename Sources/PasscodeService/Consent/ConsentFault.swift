internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform

/// Why nothing in the record counts.
enum ConsentFault: Error, Equatable, Sendable {
  /// The log itself.
  case log(ConsentLogFault)
  /// An earlier log was put back, or its key is not this store's.
  case putBack
  /// The journal of before the store can't be read.
  case journal(path: String, String)
  /// The store can't be read.
  case store(StoreError)
}

extension ConsentFault: CustomStringConvertible {
  /// In words: no capital, no full stop.
  var description: String {
    switch self {
    case .log(let fault): "\(fault)"
    case .putBack: "an earlier record was put back, or it is signed by another store"
    case .journal(let path, let words): "\(words); move \(path) away and answer again"
    case .store(let error): "the store can't be read: \(StoreFaultWords.text(error))"
    }
  }
}
