/// Which addresses a link may have.
package enum WebLink {
  /// Whether an address is one of the web's, or of mail, without a space or a control character.
  package static func isPermitted(_ address: String) -> Bool {
    let lower = address.prefix(8).lowercased()
    return address.utf8.count <= 2048 && ["https://", "http://", "mailto:"].contains(where: { lower.hasPrefix($0) })
      && address.unicodeScalars.allSatisfy { $0.value > 0x20 && !PlainText.isHarmful($0) && $0.value != 0x7F }
  }
}
