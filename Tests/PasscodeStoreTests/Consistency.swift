import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// Checks that the state row of an unlocked store counts and sums what the rows are, and that every row opens.
///
/// - Parameter names: all names that ever had a value.
func expectConsistent(_ store: CredentialStore, names: some Sequence<String>, at location: SourceLocation = #_sourceLocation)
  throws
{
  let (state, keys) = try store.vault.withSession { session in (session.committer.current, session.keys) }
  // What is in memory is what is on the disk.
  let row = try store.storage.stateRow()
  #expect(try StoreState(row.span, with: keys.state, of: store.id) == state, sourceLocation: location)
  var (records, recordSum) = (UInt64(0), Accumulator())
  var lookups = 0
  var next: LookupTag?
  repeat {
    next = try store.storage.eachRecord(in: .all, after: next, limit: 100) { view throws(StoreError) in
      records += 1
      recordSum.add(view.head.digest(with: keys.state))
      lookups += view.head.folders.count + view.head.attributes.count
      let metadata = try keys.openMetadata(view)
      #expect(view.head.tag == keys.tag(ofName: metadata.name), sourceLocation: location)
      #expect(view.head.folders == keys.tags(ofFoldersOf: metadata.name), sourceLocation: location)
      #expect(view.head.attributes == keys.tags(ofAttributesOf: metadata), sourceLocation: location)
    }
  } while next != nil
  #expect(state.records == records && state.recordSum == recordSum, sourceLocation: location)

  var (versions, versionSum) = (UInt64(0), Accumulator())
  for name in Set(names) {
    for head in try store.storage.versions(of: keys.tag(ofName: Array(name.utf8).span)) {
      versions += 1
      versionSum.add(head.digest(with: keys.state))
      _ = try store.value(name, version: head.secret.revision)
    }
  }
  #expect(state.versions == versions && state.versionSum == versionSum, sourceLocation: location)
  guard !store.path.isEmpty else { return }
  let count = try query(store.path, "SELECT (SELECT count(*) FROM folder) + (SELECT count(*) FROM attribute)")
  #expect(String(decoding: count, as: UTF8.self) == "\(lookups)", sourceLocation: location)
}
