public import StrictJSON

extension RichText {
  /// Writes the blocks as an array: what the helper for paper reads.
  ///
  /// A block is an object with a `type` of `heading`, `paragraph`, `list`, `quote`, `code`, `table`, `rule`, `pageBreak` or
  /// `signature`; a span one with `text`, `isolated`, `code`, `emphasis`, `strong`, `strike`, `link`, `image` or `lineBreak`.
  /// Images are base64.
  public func write<Sink: JSONSink>(to json: inout JSONWriter<Sink>) { Self.write(blocks, &json) }

  private static func write<Sink: JSONSink>(_ blocks: [RichBlock], _ json: inout JSONWriter<Sink>) {
    json.beginArray()
    for block in blocks {
      json.beginObject()
      json.key("type")
      write(block, &json)
      json.endObject()
    }
    json.endArray()
  }

  private static func write<Sink: JSONSink>(_ block: RichBlock, _ json: inout JSONWriter<Sink>) {
    switch block {
    case .heading(let level, let spans):
      json.string("heading")
      json.key("level")
      json.integer(level)
      write(spans, under: "spans", &json)
    case .paragraph(let spans):
      json.string("paragraph")
      write(spans, under: "spans", &json)
    case .list(let list):
      json.string("list")
      if let start = list.start {
        json.key("start")
        json.integer(start)
      }
      json.key("items")
      json.beginArray()
      for item in list.items { write(item, &json) }
      json.endArray()
    case .quote(let blocks):
      json.string("quote")
      json.key("blocks")
      write(blocks, &json)
    case .code(let text):
      json.string("code")
      json.key("text")
      json.string(text)
    case .table(let table):
      json.string("table")
      write(table, &json)
    case .rule: json.string("rule")
    case .pageBreak: json.string("pageBreak")
    case .signature(let signature):
      json.string("signature")
      write(signature, &json)
    }
  }

  private static func write<Sink: JSONSink>(_ table: RichTable, _ json: inout JSONWriter<Sink>) {
    json.key("header")
    write(row: table.header, &json)
    json.key("rows")
    json.beginArray()
    for row in table.rows { write(row: row, &json) }
    json.endArray()
    json.key("alignments")
    json.beginArray()
    for alignment in table.alignments { json.string(alignment.rawValue) }
    json.endArray()
  }

  private static func write<Sink: JSONSink>(row: [[RichSpan]], _ json: inout JSONWriter<Sink>) {
    json.beginArray()
    for cell in row { write(cell, &json) }
    json.endArray()
  }

  private static func write<Sink: JSONSink>(_ signature: RichSignature, _ json: inout JSONWriter<Sink>) {
    json.key("role")
    json.string(signature.role)
    for (name, columns) in [("columns", signature.columns), ("fields", signature.fields)] {
      json.key(name)
      json.beginArray()
      for column in columns {
        json.beginObject()
        json.key("caption")
        json.string(column.caption)
        switch column.value {
        case .blank: break
        case .text(let text):
          json.key("text")
          json.string(text)
        case .image(let image): write(image, &json)
        }
        json.endObject()
      }
      json.endArray()
    }
  }

  private static func write<Sink: JSONSink>(_ image: RichImage, _ json: inout JSONWriter<Sink>) {
    json.key("image")
    json.string(Base64Text.encode(image.image.png))
    json.key("words")
    json.string(image.words)
  }

  private static func write<Sink: JSONSink>(_ spans: [RichSpan], under key: String, _ json: inout JSONWriter<Sink>) {
    json.key(key)
    write(spans, &json)
  }

  private static func write<Sink: JSONSink>(_ spans: [RichSpan], _ json: inout JSONWriter<Sink>) {
    json.beginArray()
    for span in spans {
      json.beginObject()
      switch span {
      case .text(let text): write(text, under: "text", &json)
      case .isolated(let text): write(text, under: "isolated", &json)
      case .code(let text): write(text, under: "code", &json)
      case .emphasis(let inner): write(inner, under: "emphasis", &json)
      case .strong(let inner): write(inner, under: "strong", &json)
      case .strike(let inner): write(inner, under: "strike", &json)
      case .link(let url, let inner):
        write(url, under: "link", &json)
        write(inner, under: "spans", &json)
      case .image(let image): write(image, &json)
      case .lineBreak:
        json.key("lineBreak")
        json.bool(true)
      }
      json.endObject()
    }
    json.endArray()
  }

  private static func write<Sink: JSONSink>(_ text: String, under key: String, _ json: inout JSONWriter<Sink>) {
    json.key(key)
    json.string(text)
  }
}
