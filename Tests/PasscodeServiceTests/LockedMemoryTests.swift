import Testing

/// What uses much of the locked memory of this process, one test at a time.
@Suite(.serialized) enum LockedMemoryTests {}
