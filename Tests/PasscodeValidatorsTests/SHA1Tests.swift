import Testing

@testable import PasscodeValidators

@Suite("SHA-1") struct SHA1Tests {
  private func hex(_ message: [UInt8]) throws -> String {
    let state = try SHA1.state(after: message.span)
    return [state.h0, state.h1, state.h2, state.h3, state.h4]
      .map { String(String(UInt64($0) | 1 << 32, radix: 16).dropFirst()) }.joined()
  }

  @Test(
    "the standard's examples",
    arguments: [
      // NIST, "SHA-1 examples" to FIPS 180.
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "a49b2446a02c645bf419f995b67091253a04a259"
      ),
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ])
  func standard(message: String, digest: String) throws {
    #expect(try hex(Array(message.utf8)) == digest)
  }

  @Test("a million times a") func long() throws {
    #expect(try hex([UInt8](repeating: 0x61, count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }

  /// The message of length n is (7 i + n) mod 256 for each i below n; digests by Python's hashlib.
  @Test(
    "every way for the padding to fall",
    arguments: [
      (1, "bf8b4530d8d246dd74ac53a13471bba17941dff7"),
      (55, "63ac9708fb581dd150d3647549f9e0cb51dcf1df"),
      (56, "5a0c4d0eb2f15e05bbbff6b8dada9ae767fc03f0"),
      (57, "4e77d3077d2ab5167db3434c31cac3d15a3afc12"),
      (63, "d94ff3ad53f9b9327704b812ee9c1f3abbba3d48"),
      (64, "5f55a35e13f1865e7ffc22dca1275b1a49b0ff56"),
      (65, "d7f8931010f8342a97383e1410a58c47d057708b"),
      (119, "774001b5ad1f46b40c48e1b94cb092c593ead25b"),
      (120, "6ebf3111dc761f11b13f29df0484848785385973"),
      (121, "467945c0e868aaff130a18a6ff44c3963010999f"),
      (128, "0a44ac02432f6ead67d86fcb70a4d8ce589e50ec"),
      (1000, "7461968a9edb9b418224f1acb305d2feeaa10ba5"),
    ])
  func padding(count: Int, digest: String) throws {
    #expect(try hex((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }) == digest)
  }

  @Test("the prefix is the first eight bytes") func prefix() throws {
    #expect(try SHA1.prefix(of: Array("abc".utf8).span) == 0xA999_3E36_4706_816A)
  }
}
