extension StoreState {
  /// Takes one change of credentials in: counts and sums. O(steps).
  public mutating func apply(_ change: StorageChange, _ keys: StoreKeys) {
    for step in change.steps {
      switch step {
      case .expectAbsent: break
      case .insert(let head, _, _):
        records += 1
        recordSum.add(head.digest(with: keys.state))
      case .rewrite(let old, let new, _):
        recordSum.subtract(old.digest(with: keys.state))
        recordSum.add(new.digest(with: keys.state))
      case .keep(let head):
        versions += 1
        versionSum.add(head.asVersion.digest(with: keys.state))
      case .remove(let head):
        records -= 1
        recordSum.subtract(head.digest(with: keys.state))
      case .moveVersion(let head, let tag):
        versionSum.subtract(head.digest(with: keys.state))
        versionSum.add(head.moved(to: tag).digest(with: keys.state))
      case .removeVersion(let head):
        versions -= 1
        versionSum.subtract(head.digest(with: keys.state))
      }
    }
  }
}

extension VersionHead {
  fileprivate func moved(to tag: LookupTag) -> VersionHead {
    VersionHead(tag: tag, id: id, metadata: metadata, secret: secret)
  }
}
