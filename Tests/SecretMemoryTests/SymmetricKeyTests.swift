import Glibc
import SecretMemory
import Testing

@Suite("Keys")
struct SymmetricKeyTests {
  @Test("random keys differ and are not the pattern of fresh memory")
  func random() throws {
    let first = try SymmetricKey<First>.random()
    let second = try SymmetricKey<First>.random()
    let (one, other) = (array(first.bytes), array(second.bytes))
    #expect(one.count == 32 && one != other)
    #expect(Set(one).count > 4 && Set(other).count > 4)
  }

  @Test("a key takes 32 bytes, no more and no fewer", arguments: [0, 1, 31, 33, 64])
  func lengths(count: Int) throws {
    let bytes = [UInt8](repeating: 1, count: count)
    let error = failure { () throws(SecretMemoryError) in _ = try SymmetricKey<First>(copying: bytes.span) }
    #expect(error == .invalidLength)
  }

  @Test("a key holds the bytes that it was made of, and so does its copy")
  func copies() throws {
    let bytes = [UInt8](0..<32)
    let key = try SymmetricKey<First>(copying: bytes.span)
    let copy = try key.copy()
    let (held, copied, places) = (array(key.bytes), array(copy.bytes), (address(of: key), address(of: copy)))
    #expect(held == bytes && copied == bytes && places.0 != places.1)
  }

  @Test("subkeys are those of an independent implementation")
  func subkeys() throws {
    for fields in try Vectors.lines("blake2b.txt") where fields[0] == "subkey" {
      let key = try SymmetricKey<First>(copying: hex(fields[1]).span)
      let context = hex(fields[3])
      #expect(try subkey(of: key, label: fields[2], context: context) == hex(fields[4]))
    }
  }

  private func subkey(of key: borrowing SymmetricKey<First>, label: String, context: [UInt8]) throws -> [UInt8] {
    switch (label, context.isEmpty) {
    case ("test/v1/name", true): return held(by: try key.derive(First.self))
    case ("test/v1/name", false): return held(by: try key.derive(First.self, context: context.span))
    case ("test/v1/folder", true): return held(by: try key.derive(Second.self))
    case ("test/v1/folder", false): return held(by: try key.derive(Second.self, context: context.span))
    default: return []
    }
  }

  private func held<P>(by key: consuming SymmetricKey<P>) -> [UInt8] { array(key.bytes) }

  @Test("subkeys differ by key, by purpose and by context")
  func separation() throws {
    var all: Set<[UInt8]> = []
    for byte in [1, 2] as [UInt8] {
      let root = try key(byte, for: First.self)
      let bytes = array(root.bytes)
      all.insert(bytes)
      for label in ["test/v1/name", "test/v1/folder"] {
        for context in [[], [0], [1], [1, 0]] as [[UInt8]] { all.insert(try subkey(of: root, label: label, context: context)) }
      }
      // No context is not an empty context.
      let empty: [UInt8] = []
      all.insert(held(by: try root.derive(First.self, context: empty.span)))
    }
    #expect(all.count == 2 * (1 + 2 * 4 + 1))
  }

  @Test("writing to a key, or reading beside it, stops the process", .disabled(if: isSanitized))
  func guarded() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      let key = try key(1, for: First.self)
      unsafe UnsafeMutablePointer<UInt8>(bitPattern: address(of: key))!.pointee = 2
    }
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      let key = try key(1, for: First.self)
      let beyond = unsafe UnsafePointer<UInt8>(bitPattern: address(of: key))![32]
      print(beyond)
    }
  }
}

/// Where a key's bytes lie.
private func address<P>(of key: borrowing SymmetricKey<P>) -> UInt {
  unsafe key.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress!) }
}
