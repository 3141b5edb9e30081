internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform

/// Why nothing in the record counts.
enum ConsentFault: Error, Equatable, Sendable {
  /// The log itself.
  case log(ConsentLogFault)
  /// An earlier log was put back, or its key is not this store's.
  case putBack
  /// What lies in the store in the log's place can't be one.
  case unreadable
  /// The journal of before the store can't be read.
  case journal(path: String, String)
  /// The store can't be read.
  case store(StoreError)

  /// What is wrong, in words: no capital, no full stop.
  var words: String {
    switch self {
    case .log(let fault): "\(fault)"
    case .putBack: "an earlier record was put back, a part of it is gone, or it is signed by another store"
    case .unreadable: "what lies in its place is larger than any record, or none"
    case .journal(_, let words): words
    case .store(let error): "the store can't be read: \(StoreFaultWords.text(error))"
    }
  }

  /// How to get on, in words; nil where nothing of the record is to be given up.
  var wayOut: String? {
    switch self {
    case .log, .putBack, .unreadable:
      "passcode consent restart keeps it aside as evidence and begins a new one, in which every form is asked again"
    case .journal(let path, _): "move \(path) away and answer again"
    case .store: nil
    }
  }
}

extension ConsentFault: CustomStringConvertible {
  /// What is wrong, and how to get on: no capital, no full stop.
  var description: String { wayOut.map { "\(words); \($0)" } ?? words }
}
