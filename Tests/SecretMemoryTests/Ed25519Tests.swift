import SecretMemory
import Testing

@Suite("Ed25519 and SHA-256") struct Ed25519Tests {
  /// RFC 8032 §7.1, tests 1 to 3: seed, public key, message, signature.
  static let vectors: [[String]] = [
    [
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
  ]

  @Test("signatures are those of the standard", arguments: vectors) func standard(vector: [String]) throws {
    let key = Ed25519.SecretKey(seed: try SymmetricKey(copying: hex(vector[0]).span))
    let message = hex(vector[2])
    #expect(key.publicKey.bytes == hex(vector[1]))
    let signature = key.sign(message.span)
    #expect(signature == hex(vector[3]))
    #expect(isSigned(signature, message, key.publicKey))
  }

  @Test("one changed bit of signature, message or key is found") func changed() throws {
    let key = try Ed25519.SecretKey.random()
    let publicKey = key.publicKey
    let message = Array("a message".utf8)
    let signature = key.sign(message.span)
    #expect(isSigned(signature, message, publicKey))
    for index in signature.indices {
      var bad = signature
      bad[index] ^= 1
      #expect(!isSigned(bad, message, publicKey))
    }
    for index in message.indices {
      var bad = message
      bad[index] ^= 1
      #expect(!isSigned(signature, bad, publicKey))
    }
    let other = try Ed25519.SecretKey.random()
    #expect(!isSigned(signature, message, other.publicKey))
    #expect(!isSigned([], message, publicKey) && !isSigned(Array(signature.dropLast()), message, publicKey))
  }

  @Test("a key made again from its seed is the same key") func seed() throws {
    let key = try Ed25519.SecretKey.random()
    let again = Ed25519.SecretKey(seed: try SymmetricKey(copying: key.seed))
    #expect(again.publicKey == key.publicKey)
    let bytes = key.publicKey.bytes
    let fingerprint = SHA256.digest(bytes.span)
    #expect(key.publicKey.fingerprint == fingerprint)
    #expect(publicKey(bytes) == key.publicKey)
    #expect(publicKey([1, 2]) == nil)
  }

  private func isSigned(_ signature: [UInt8], _ message: [UInt8], _ key: Ed25519.PublicKey) -> Bool {
    key.isSignature(signature.span, of: message.span)
  }

  private func publicKey(_ bytes: [UInt8]) -> Ed25519.PublicKey? { Ed25519.PublicKey(bytes.span) }
}
