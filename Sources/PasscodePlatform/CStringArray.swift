internal import Glibc

/// Copies of strings as exec wants them: NUL-ended, in an array that a null pointer ends.
@safe
struct CStringArray: ~Copyable {
  // SAFETY: `count` strings made by strdup and a null pointer, owned by this value alone.
  let base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe base = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { unsafe (base + index).initialize(to: strdup(string)) }
    unsafe (base + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(base[index]) }
    unsafe base.deallocate()
  }
}
