/// Metadata in XML, the same as in the file's information.
///
/// Source: ISO 16684-1 (XMP).
public struct XMPMetadata: Hashable, Sendable {
  /// The title.
  public var title: String
  /// The language, as RFC 5646 has it.
  public var language: String
  /// Who gives it out.
  public var author: String?
  /// What it is about.
  public var subject: String?
  /// When it was made, as RFC 3339 has it.
  public var created: String

  /// Facts.
  public init(title: String, language: String, created: String) {
    (self.title, self.language, self.created) = (title, language, created)
  }

  /// The packet that stands in the file.
  var packet: String {
    var lines = [
      "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>",
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">",
      "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
        + " xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">",
      "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(title))</rdf:li></rdf:Alt></dc:title>",
      "<dc:language><rdf:Bag><rdf:li>\(language)</rdf:li></rdf:Bag></dc:language>",
    ]
    if let author { lines.append("<dc:creator><rdf:Seq><rdf:li>\(Self.escaped(author))</rdf:li></rdf:Seq></dc:creator>") }
    if let subject {
      lines.append(
        "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(subject))</rdf:li></rdf:Alt>"
          + "</dc:description>")
    }
    lines.append("<xmp:CreateDate>\(created)</xmp:CreateDate>")
    lines += ["</rdf:Description>", "</rdf:RDF>", "</x:xmpmeta>", "<?xpacket end=\"r\"?>"]
    return lines.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    // By scalars: a mark on a bracket leaves it a bracket.
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(scalar)
      }
    }.joined()
  }
}
