/// Addresses as a PDF has them.
enum LinkAddress {
  /// The address in ASCII, with everything percent-encoded that could end a string of a PDF or of a tag.
  ///
  /// Source: RFC 3986 §2.1, RFC 3987 §3.1, ISO 32000-1 §7.3.4.2.
  static func uri(_ address: String) -> String {
    address.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "\""), ...0x20, 0x7F...:
        return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      default: return String(Unicode.Scalar(byte))
      }
    }.joined()
  }
}
