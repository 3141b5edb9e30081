/// Writes a text as HTML. Every text is escaped: nothing in it can be markup.
struct HTMLRenderer {
  private(set) var html = ""

  mutating func write(_ blocks: [RichBlock]) { for block in blocks { write(block) } }

  private mutating func write(_ block: RichBlock) {
    switch block {
    case .heading(let level, let spans): element("h\(min(6, max(1, level)))") { $0.write(spans) }
    case .paragraph(let spans): element("p") { $0.write(spans) }
    case .list(let list): write(list)
    case .quote(let blocks): element("blockquote") { $0.write(blocks) }
    case .code(let text): element("pre") { $0.escape(text) }
    case .table(let table): write(table)
    case .rule: html += "<hr>\n"
    case .pageBreak: html += "<div class=\"page-break\"></div>\n"
    case .signature(let signature): write(signature)
    }
  }

  private mutating func element(_ name: String, _ attributes: String = "", _ body: (inout HTMLRenderer) -> Void) {
    html += "<\(name)\(attributes)>"
    body(&self)
    html += "</\(name)>\n"
  }

  private mutating func write(_ list: RichList) {
    let start = list.start.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
    element(list.start == nil ? "ul" : "ol", start) { renderer in
      for item in list.items {
        renderer.element("li") { renderer in
          // One paragraph alone is the item's line.
          if case .paragraph(let spans)? = item.first, item.count == 1 { renderer.write(spans) } else { renderer.write(item) }
        }
      }
    }
  }

  private mutating func write(_ table: RichTable) {
    element("table") { renderer in
      if !table.header.isEmpty {
        renderer.element("thead") { $0.write(row: table.header, "th", table.alignments) }
      }
      renderer.element("tbody") { renderer in
        for row in table.rows { renderer.write(row: row, "td", table.alignments) }
      }
    }
  }

  private mutating func write(row: [[RichSpan]], _ name: String, _ alignments: [RichTable.Alignment]) {
    element("tr") { renderer in
      for (index, cell) in row.enumerated() {
        let alignment = index < alignments.count ? alignments[index] : .natural
        renderer.element(name, alignment == .natural ? "" : " align=\"\(alignment.rawValue)\"") { $0.write(cell) }
      }
    }
  }

  private mutating func write(_ signature: RichSignature) {
    element("div", " class=\"signature\"") { renderer in
      renderer.element("p", " class=\"role\"") { $0.escape(signature.role) }
      for column in signature.columns + signature.fields {
        // Two or three stand beside each other; one alone is a plain block.
        renderer.element("div", signature.columns.count > 1 ? " class=\"column\"" : "") { renderer in
          renderer.element("p", " class=\"value\"") { $0.write(column.value) }
          renderer.html += "<hr>\n"
          renderer.element("p", " class=\"caption\"") { $0.escape(column.caption) }
        }
      }
    }
  }

  private mutating func write(_ value: RichSignature.Column.Value) {
    switch value {
    case .blank: html += "&nbsp;"
    case .text(let text): write([.isolated(text)])
    case .image(let image): write([.image(image)])
    }
  }

  private mutating func write(_ spans: [RichSpan]) {
    for span in spans {
      switch span {
      case .text(let text): escape(text)
      case .isolated(let text): inline("bdi") { $0.escape(text) }
      case .emphasis(let inner): inline("em") { $0.write(inner) }
      case .strong(let inner): inline("strong") { $0.write(inner) }
      case .strike(let inner): inline("del") { $0.write(inner) }
      case .code(let text): inline("code") { $0.escape(text) }
      case .link(let url, let inner):
        html += "<a href=\""
        escape(url)
        html += "\" rel=\"noreferrer\">"
        write(inner)
        html += "</a>"
      case .image(let image):
        html += "<img alt=\""
        escape(image.words)
        html += "\" src=\"data:image/png;base64,\(Base64Text.encode(image.image.png))\">"
      case .lineBreak: html += "<br>"
      }
    }
  }

  private mutating func inline(_ name: String, _ body: (inout HTMLRenderer) -> Void) {
    html += "<\(name)>"
    body(&self)
    html += "</\(name)>"
  }

  private mutating func escape(_ text: String) {
    for scalar in PlainText.cleaned(text).unicodeScalars {
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.unicodeScalars.append(scalar)
      }
    }
  }

  /// A whole document around a body.
  static func document(title: String, locale: LanguageTag, blocks: [RichBlock]) -> String {
    var renderer = HTMLRenderer()
    renderer.html = "<!DOCTYPE html>\n<html lang=\"\(locale)\" dir=\"\(locale.isRightToLeft ? "rtl" : "ltr")\">\n<head>\n"
    renderer.html += "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
    renderer.html += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    renderer.html += "img-src data:; style-src 'unsafe-inline'\">\n"
    renderer.element("title") { $0.escape(title) }
    renderer.element("style") { $0.html += style }
    renderer.html += "</head>\n<body>\n"
    renderer.write(blocks)
    return renderer.html + "</body>\n</html>\n"
  }

  private static let style = """
    body{font-family:sans-serif;max-width:40em;margin:2em auto}h1,h2{text-align:center}\
    .page-break{break-before:page}.signature{overflow:hidden}.column{float:inline-start;width:33.3%}\
    .value img{max-height:4em}
    """
}

extension RichText {
  /// The blocks as HTML, every text escaped.
  public var html: String {
    var renderer = HTMLRenderer()
    renderer.write(blocks)
    return renderer.html
  }

  /// A whole HTML document, which fetches nothing and runs nothing.
  public func htmlDocument(title: String, locale: LanguageTag) -> String {
    HTMLRenderer.document(title: title, locale: locale, blocks: blocks)
  }
}
