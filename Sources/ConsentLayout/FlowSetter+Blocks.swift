internal import ConsentCore

extension FlowSetter {
  // MARK: - Lists

  mutating func addList(_ list: RichList, _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    var place = place
    place.isRightToLeft = TextDirection.isRightToLeft([.list(list)], base: place.isRightToLeft)
    place.node = addNode(.list, in: place)
    let last = (list.start ?? 0) + list.items.count
    let size = style.body.size
    let indent = list.start == nil ? size * 1.35 : size * (0.9 + 0.6 * Double(String(last).utf8.count))
    var inner = place.indented(by: indent)
    inner.listDepth += 1
    for (index, item) in list.items.enumerated() {
      let node = addNode(.item, in: place)
      let label = addNode(.label, in: node)
      inner.node = addNode(.itemBody, in: node)
      let start = flow.strips.count
      inner.spacing = index == 0 && place.listDepth == 0 ? place.spacing : size * 0.28
      for block in item { try add(block, inner) }
      let marker = list.start.map { "\($0 + index)." } ?? ["•", "–", "·"][min(place.listDepth, 2)]
      try addMarker(marker, to: start, label, place, indent)
    }
  }

  /// The number or bullet of an item, beside its first line.
  private mutating func addMarker(
    _ marker: String, to strip: Int, _ node: Int, _ place: Place, _ indent: Double
  ) throws(PaperFault<Typesetter.Failure>) {
    var text = StyledText(style: style.body)
    text.text = marker
    text.isRightToLeft = place.isRightToLeft
    text.alignment = PaperStyle.alignment(.start, isRightToLeft: place.isRightToLeft)
    let lines = try set(text, width: indent)
    let x = place.isRightToLeft ? place.x + place.width - indent : place.x
    if flow.strips.count == strip { append(Strip(spaceBefore: style.body.size * 0.28, height: lines.height)) }
    let y = max(0, (flow.strips[strip].height - lines.height) / 2)
    flow.strips[strip].marks.insert(contentsOf: marks(lines, text, line: 0, x: x, y: y, node: node), at: 0)
  }

  // MARK: - Quotes and code

  mutating func addQuote(_ blocks: [RichBlock], _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    var place = place
    place.isRightToLeft = TextDirection.isRightToLeft(blocks, base: place.isRightToLeft)
    place.node = addNode(.quote, in: place)
    let start = flow.strips.count
    let inner = place.indented(by: 14)
    for block in blocks { try add(block, inner) }
    let x = place.isRightToLeft ? place.x + place.width - 2.5 : place.x
    for index in start..<flow.strips.count {
      let mark =
        index == start
        ? Mark(x: x, y: 0, kind: .box(width: 2.5, height: flow.strips[index].height, color: PaperStyle.hairline))
        : Mark(x: x, y: 0, kind: .backdrop(width: 2.5, color: PaperStyle.hairline))
      flow.strips[index].marks.insert(mark, at: 0)
    }
  }

  mutating func addCode(_ code: String, _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    let node = addNode(.paragraph, in: place)
    var text = StyledText(style: style.body)
    text.style.traits = .monospace
    text.text = code.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\u{2028}")
    text.breaksAnywhere = true
    let lines = try set(text, width: place.width - 16)
    let top = Mark(x: place.x, y: 0, kind: .box(width: place.width, height: 5, color: PaperStyle.shade))
    append(Strip(spaceBefore: place.spacing + 2, height: 5, marks: [top]))
    for line in lines.lines.indices {
      let words = marks(lines, text, line: line, x: place.x + 8, y: 0, node: node)
      let isEdge = line < 2 || line == lines.lines.count - 1
      append(
        Strip(height: lines.lines[line].height, breakBefore: isEdge ? .avoided : .allowed, marks: [shade(place)] + words))
    }
    append(Strip(height: 5, breakBefore: .avoided, marks: [shade(place)]))
  }

  private func shade(_ place: Place) -> Mark {
    Mark(x: place.x, y: 0, kind: .backdrop(width: place.width, color: PaperStyle.shade))
  }
}
