internal import SecretMemory

/// Sets a text in lines.
///
/// Without a width no line is broken but where the text breaks it; that form is what is hashed, and never changes.
struct LineRenderer {
  private let width: Int?
  private let isRightToLeft: Bool
  /// Whether pictures are told by their digest as well.
  private let isCanonical: Bool
  /// Where lines stand, and how many a title may have. It changes nothing without a width.
  private let theme: ConsentTheme
  private(set) var lines: [RichLine] = []
  /// What stands before each line of the blocks that are being set, and before the first of them only.
  private var indent = ""
  private var firstIndent: String?

  init(width: Int?, isRightToLeft: Bool, isCanonical: Bool = false, theme: ConsentTheme = ConsentTheme()) {
    self.width = width
    self.isRightToLeft = isRightToLeft
    self.isCanonical = isCanonical
    self.theme = theme
  }

  mutating func set(_ blocks: [RichBlock]) {
    for block in blocks {
      // An empty paragraph or heading takes no line.
      if case .heading(_, []) = block { continue }
      if case .paragraph([]) = block { continue }
      if block == .pageBreak { continue }
      if let last = lines.last, !last.runs.isEmpty, firstIndent == nil { lines.append(RichLine(runs: [])) }
      set(block)
    }
  }

  private mutating func set(_ block: RichBlock) {
    switch block {
    case .heading(_, let spans): set(spans, .heading)
    case .paragraph(let spans): set(spans, [])
    case .list(let list): set(list)
    case .quote(let blocks): within("| ", "| ") { $0.set(blocks) }
    case .code(let text):
      for line in PlainText.cleaned(text).split(separator: "\n", omittingEmptySubsequences: false) {
        put([RichLine.Run(text: "    " + line, style: .code)])
      }
    case .table(let table): set(table)
    case .rule: put([RichLine.Run(text: "* * *", style: [])])
    case .pageBreak: break
    case .signature(let signature): set(signature)
    }
  }

  private mutating func set(_ list: RichList) {
    for (index, item) in list.items.enumerated() {
      let marker = list.start.map { "\($0 + index). " } ?? "- "
      let blank = String(repeating: " ", count: marker.count)
      within(marker, blank) { renderer in
        renderer.set(item.isEmpty ? [.paragraph([.text("")])] : item)
      }
    }
  }

  /// Each row on its own lines, each cell with its heading: it can be read at any width, and aloud.
  private mutating func set(_ table: RichTable) {
    if !table.header.isEmpty, table.rows.isEmpty { set(joined(table.header), .strong) }
    for row in table.rows {
      within("- ", "  ") { renderer in
        for (index, cell) in row.enumerated() {
          let head = index < table.header.count ? table.header[index] : []
          renderer.set(head.isEmpty ? cell : [.strong(head + [.text(": ")])] + cell, [])
        }
      }
    }
  }

  private func joined(_ cells: [[RichSpan]]) -> [RichSpan] {
    var spans: [RichSpan] = []
    for cell in cells { spans += (spans.isEmpty ? [] : [.text(" | ")]) + cell }
    return spans
  }

  private mutating func set(_ signature: RichSignature) {
    set([.text(signature.role)], .strong)
    for column in signature.columns + signature.fields {
      let value: RichSpan =
        switch column.value {
        case .blank: .text("____________________")
        case .text(let text): .isolated(text)
        case .image(let image): .image(image)
        }
      set([.text(column.caption + ": "), value], [])
    }
  }

  private mutating func within(_ first: String, _ rest: String, _ body: (inout LineRenderer) -> Void) {
    let outer = indent
    let outerFirst = firstIndent
    firstIndent = (outerFirst ?? outer) + first
    indent = outer + rest
    body(&self)
    indent = outer
    firstIndent = nil
  }

  private mutating func put(_ runs: [RichLine.Run]) {
    let before = firstIndent ?? indent
    firstIndent = nil
    lines.append(RichLine(runs: (before.isEmpty ? [] : [RichLine.Run(text: before, style: [])]) + runs))
  }

  private mutating func set(_ spans: [RichSpan], _ style: RichLine.Style) {
    var flat = FlatSpans(isRightToLeft: isRightToLeft, isCanonical: isCanonical)
    flat.add(spans, style)
    guard let width else { return flat.lines.forEach { put($0) } }
    let room = max(20, width - TextWidth.columns(indent))
    var parts = flat.lines.flatMap { LineBreaking.broken($0, width: room) }
    let isTitle = style.contains(.heading)
    // Only a title is ever cut: nobody agrees to a text that was not shown.
    if isTitle, let limit = theme.title.lineLimit { parts = LineBreaking.cut(parts, to: limit, width: room) }
    let alignment = (isTitle ? theme.title : theme.body).alignment ?? .start
    for part in parts { put(LineBreaking.aligned(part, alignment, width: room)) }
  }
}

/// Spans as lines of runs.
private struct FlatSpans {
  let isRightToLeft: Bool
  let isCanonical: Bool
  var lines: [[RichLine.Run]] = [[]]

  mutating func add(_ spans: [RichSpan], _ style: RichLine.Style) {
    for span in spans {
      switch span {
      case .text(let text): put(text, style)
      case .isolated(let text): put(isRightToLeft ? "\u{2068}\(text)\u{2069}" : text, style)
      case .emphasis(let inner): add(inner, style.union(.emphasis))
      case .strong(let inner): add(inner, style.union(.strong))
      case .strike(let inner): add(inner, style.union(.strike))
      case .code(let text): put(text, style.union(.code))
      case .link(let url, let inner):
        add(inner, style.union(.link))
        // The address is always told: words that show one address and lead to another deceive nobody.
        if RichSpan.words(of: inner) != url { put(isRightToLeft ? " (\u{2066}\(url)\u{2069})" : " (\(url))", style) }
      case .image(let image):
        let digest = isCanonical ? " SHA-256 \(SHA256.digest(image.image.png.span).hex)" : ""
        put("[\(image.words.isEmpty ? "image" : image.words)\(digest)]", style)
      case .lineBreak: lines.append([])
      }
    }
  }

  /// Cleaned here too: an app may have made the blocks itself.
  private mutating func put(_ given: String, _ style: RichLine.Style) {
    let text = String(PlainText.cleaned(given).map { $0 == "\n" ? " " : $0 })
    let last = lines[lines.count - 1].indices.last
    if let last, lines[lines.count - 1][last].style == style {
      lines[lines.count - 1][last].text += text
    } else {
      lines[lines.count - 1].append(RichLine.Run(text: text, style: style))
    }
  }
}

/// Breaks lines at spaces, and within a word that is longer than a line.
enum LineBreaking {
  static func broken(_ line: [RichLine.Run], width: Int) -> [[RichLine.Run]] {
    var lines: [[RichLine.Run]] = [[]]
    var used = 0
    for run in line {
      for word in words(of: run.text) {
        var rest = word
        while !rest.isEmpty {
          if used > 0, used + TextWidth.columns(withoutTrailingSpace(rest)) > width {
            lines.append([])
            used = 0
          }
          let part = used == 0 ? fitting(rest, width) : rest
          append(part, run.style, &lines)
          used += TextWidth.columns(part)
          rest = rest.dropFirst(part.count)
          // What is left of a word that was cut goes on the next line, without the spaces that ended it.
          if used >= width { rest = rest.drop { $0 == " " } }
        }
      }
    }
    return lines.map(withoutTrailingSpace)
  }

  /// The first lines; where there are more, the last of them ends in an ellipsis.
  static func cut(_ lines: [[RichLine.Run]], to limit: Int, width: Int) -> [[RichLine.Run]] {
    guard lines.count > limit, var last = lines.prefix(limit).last else { return lines }
    while let end = last.indices.last, columns(last) >= width || last[end].text.last == " " {
      last[end].text.removeLast()
      if last[end].text.isEmpty { last.removeLast() }
    }
    append("…", last.last?.style ?? [], to: &last)
    return lines.prefix(limit - 1) + [last]
  }

  /// A line with the spaces before it that move it to its place. Before a line from right to left they stand right of it.
  static func aligned(_ line: [RichLine.Run], _ alignment: ConsentAlignment, width: Int) -> [RichLine.Run] {
    let free = max(0, width - columns(line))
    let count =
      switch alignment {
      case .start: 0
      case .center: free / 2
      case .end: free
      }
    if count == 0 || line.isEmpty { return line }
    return [RichLine.Run(text: String(repeating: " ", count: count), style: [])] + line
  }

  private static func columns(_ line: [RichLine.Run]) -> Int { line.reduce(0) { $0 + TextWidth.columns($1.text) } }

  /// Words with the spaces behind them; a wide character is a word of its own.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let next = text.index(after: index)
      let isWide = TextWidth.columns(text[index]) == 2
      let endsWord = text[index] == " " && (next == text.endIndex || text[next] != " ")
      if endsWord || isWide && (next == text.endIndex || text[next] != " ") {
        words.append(text[start..<next])
        start = next
      }
      index = next
    }
    if start < text.endIndex { words.append(text[start...]) }
    return words
  }

  private static func fitting(_ word: Substring, _ width: Int) -> Substring {
    var used = 0
    for index in word.indices {
      used += TextWidth.columns(word[index])
      if used > width, index > word.startIndex { return word[..<index] }
    }
    return word
  }

  private static func append(_ text: Substring, _ style: RichLine.Style, _ lines: inout [[RichLine.Run]]) {
    append(text, style, to: &lines[lines.count - 1])
  }

  private static func append(_ text: Substring, _ style: RichLine.Style, to line: inout [RichLine.Run]) {
    if let last = line.indices.last, line[last].style == style {
      line[last].text += text
    } else {
      line.append(RichLine.Run(text: String(text), style: style))
    }
  }

  private static func withoutTrailingSpace(_ word: Substring) -> Substring {
    var word = word
    while word.last == " " { word.removeLast() }
    return word
  }

  private static func withoutTrailingSpace(_ line: [RichLine.Run]) -> [RichLine.Run] {
    var line = line
    while let last = line.indices.last {
      while line[last].text.last == " " { line[last].text.removeLast() }
      if !line[last].text.isEmpty { break }
      line.removeLast()
    }
    return line
  }
}

extension RichText {
  /// The text in lines of at most `width` columns; nil breaks no line.
  ///
  /// - Parameters:
  ///   - width: columns, at least 20.
  ///   - locale: the language, for the direction.
  ///   - theme: where lines stand, and how many a title may have; without a width it changes nothing.
  public func lines(width: Int?, locale: LanguageTag, theme: ConsentTheme = ConsentTheme()) -> [RichLine] {
    var renderer = LineRenderer(width: width, isRightToLeft: locale.isRightToLeft, theme: theme)
    renderer.set(blocks)
    return renderer.lines
  }

  /// The text without styles, one line feed after each line.
  public func plain(locale: LanguageTag) -> String {
    lines(width: nil, locale: locale).map { $0.text + "\n" }.joined()
  }
}
