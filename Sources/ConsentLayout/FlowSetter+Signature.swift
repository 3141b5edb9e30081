internal import ConsentCore

extension FlowSetter {
  /// Who signs, then columns: a value, a rule, a caption. What is missing is a line to sign on. A page never cuts it.
  mutating func addSignature(_ signature: RichSignature, _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    var place = place
    place.node = addNode(.section, in: place)
    var role = style.body
    role.traits = .bold
    if !signature.role.isEmpty {
      let text = try styled([.text(signature.role)], role, place)
      try addLines(
        of: text, place, node: addNode(.paragraph, in: place), spaceBefore: style.body.size * 2.2, keepsTogether: true)
    }
    let rows = Self.rows(signature.columns) + Self.rows(signature.fields)
    for row in rows {
      try addRow(row, place, isFirst: row == rows.first && signature.role.isEmpty)
    }
  }

  private static func rows(_ columns: [RichSignature.Column]) -> [[RichSignature.Column]] {
    stride(from: 0, to: columns.count, by: 3).map { Array(columns[$0..<min($0 + 3, columns.count)]) }
  }

  private mutating func addRow(
    _ row: [RichSignature.Column], _ place: Place, isFirst: Bool
  ) throws(PaperFault<Typesetter.Failure>) {
    let gap = 18.0
    let width = (place.width - 2 * gap) / 3
    var cells: [Cell] = []
    for column in row { cells.append(try cell(column, width, place)) }
    let hasImage = row.contains { if case .image = $0.value { true } else { false } }
    let valueHeight = max(hasImage ? 46 : 34, cells.map(\.height).max() ?? 0)
    let captionHeight = cells.map(\.caption.1.height).max() ?? 0
    var strip = Strip(
      spaceBefore: isFirst ? style.body.size * 2.2 : 4, height: valueHeight + 4 + captionHeight + 2,
      breakBefore: isFirst ? .allowed : .avoided)
    for (index, cell) in cells.enumerated() {
      let step = Double(index) * (width + gap)
      let x = place.isRightToLeft ? place.x + place.width - width - step : place.x + step
      strip.marks += cell.marks(self, x: x, bottom: valueHeight)
      strip.marks.append(Mark(x: x, y: valueHeight + 1, kind: .box(width: width, height: 0.75, color: PaperStyle.caption)))
      var y = valueHeight + 4
      for line in cell.caption.1.lines.indices {
        strip.marks += marks(cell.caption.1, cell.caption.0, line: line, x: x, y: y, node: cell.captionNode)
        y += cell.caption.1.lines[line].height
      }
    }
    append(strip)
  }

  private mutating func cell(
    _ column: RichSignature.Column, _ width: Double, _ place: Place
  ) throws(PaperFault<Typesetter.Failure>) -> Cell {
    let caption = try styled([.text(column.caption)], style.small, place)
    var cell = Cell(
      caption: (aligned(caption, place), try set(aligned(caption, place), width: width)),
      captionNode: addNode(.paragraph, in: place), node: addNode(.paragraph, in: place))
    switch column.value {
    case .blank: break
    case .text(let value):
      // A date or a name runs as its own letters do, and stands where lines of the paper start.
      let text = aligned(try styled([.isolated(value)], style.body, place), place)
      cell.text = (text, try set(text, width: width))
    case .image(let image):
      let decoded: SizedImage
      do { decoded = try typesetter.image(image.image.png) } catch { throw .typesetter(error) }
      let fitted = decoded.fitted(width: width, height: 44)
      cell.image = (fitted, image.words, place.isRightToLeft ? width - fitted.width : 0)
    }
    return cell
  }

  private func aligned(_ text: StyledText, _ place: Place) -> StyledText {
    var text = text
    text.alignment = PaperStyle.alignment(.start, isRightToLeft: place.isRightToLeft)
    return text
  }

  /// One column as it is set.
  private struct Cell {
    let caption: (StyledText, SetText)
    let captionNode: Int
    let node: Int
    var text: (StyledText, SetText)?
    var image: (SizedImage, words: String, x: Double)?

    var height: Double { text.map { $0.1.height + 2 } ?? image?.0.height ?? 0 }

    /// The value: a picture ends at `bottom`, and the last line of a text stands a little above, whatever its font.
    func marks(_ setter: FlowSetter, x: Double, bottom: Double) -> [Mark] {
      if let image {
        let mark = Mark(
          x: x + image.x, y: bottom - image.0.height, kind: .image(image.0), node: node, part: .figure(words: image.words))
        return [mark]
      }
      guard let text else { return [] }
      guard let last = text.1.lines.last else { return [] }
      var y = bottom - 5 - last.baseline - (text.1.height - last.height)
      var marks: [Mark] = []
      for line in text.1.lines.indices {
        marks += setter.marks(text.1, text.0, line: line, x: x, y: y, node: node)
        y += text.1.lines[line].height
      }
      return marks
    }
  }
}
