internal import ConsentCore

extension FlowSetter {
  /// A table whose columns are as wide as they have to be, and no wider than the page. Its header stands again on each page.
  mutating func addTable(_ table: RichTable, _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    let count = ([table.header] + table.rows).map(\.count).max() ?? 0
    let limit = Int(place.width / TableGrid.minimumWidth)
    if count > limit { throw .tooManyColumns(limit: limit) }
    if count == 0 { return }
    var place = place
    place.isRightToLeft = TextDirection.isRightToLeft([.table(table)], base: place.isRightToLeft)
    place.node = addNode(.table, in: place)
    let rows = table.header.isEmpty ? table.rows : [table.header] + table.rows
    var cells: [[StyledText]] = []
    for (number, row) in rows.enumerated() {
      var texts: [StyledText] = []
      for column in 0..<count {
        texts.append(try cell(column < row.count ? row[column] : [], table, (number, column), place))
      }
      cells.append(texts)
    }
    var natural = [Double](repeating: 0, count: count)
    for row in cells {
      for (column, text) in row.enumerated() where !text.text.isEmpty {
        natural[column] = max(natural[column], try set(text, width: 10_000).width)
      }
    }
    let grid = TableGrid(natural: natural, place.x, place.width, isRightToLeft: place.isRightToLeft)
    var header: Int?
    for (number, row) in cells.enumerated() {
      let isHeader = number == 0 && !table.header.isEmpty
      let start = flow.strips.count
      try addRow(row, grid, place, isHeader: isHeader, isFirst: number == 0)
      if isHeader {
        header = repeatable(flow.strips[start...])
      } else {
        for index in start..<flow.strips.count { flow.strips[index].header = header }
      }
      // A header is not left alone.
      if number == 1, header != nil { flow.strips[start].breakBefore = .avoided }
    }
  }

  private func cell(
    _ spans: [RichSpan], _ table: RichTable, _ at: (row: Int, column: Int), _ place: Place
  ) throws(PaperFault<Typesetter.Failure>) -> StyledText {
    var textStyle = style.body
    textStyle.size *= 0.95
    if at.row == 0, !table.header.isEmpty { textStyle.traits = .bold }
    var text = try styled(spans, textStyle, place)
    switch at.column < table.alignments.count ? table.alignments[at.column] : .natural {
    case .natural: text.alignment = PaperStyle.alignment(.start, isRightToLeft: place.isRightToLeft)
    case .left: text.alignment = .left
    case .center: text.alignment = .center
    case .right: text.alignment = .right
    }
    return text
  }

  /// The lines of a row beside each other, a strip for each.
  private mutating func addRow(
    _ row: [StyledText], _ grid: TableGrid, _ place: Place, isHeader: Bool, isFirst: Bool
  ) throws(PaperFault<Typesetter.Failure>) {
    let node = addNode(.row, in: place)
    var cells: [(node: Int, text: StyledText, lines: SetText)] = []
    for (column, text) in row.enumerated() {
      let lines = try set(text, width: grid.columns[column].width)
      cells.append((addNode(isHeader ? .headerCell : .cell, in: node), text, lines))
    }
    let count = cells.map(\.lines.lines.count).max() ?? 1
    let isTall = Double(count) * style.body.size * 1.45 > style.contentHeight * 0.3
    for index in 0..<count {
      let (isTop, isBottom) = (index == 0, index == count - 1)
      let top = isTop ? TableGrid.padding : 0
      var strip = Strip(
        spaceBefore: isFirst && isTop ? place.spacing + 2 : 0, height: top + (isBottom ? TableGrid.padding : 0),
        breakBefore: isTop || isTall && index > 1 && index < count - 1 ? .allowed : .avoided)
      strip.height += cells.map { index < $0.lines.lines.count ? $0.lines.lines[index].height : 0 }.max() ?? 0
      if isHeader {
        strip.marks.append(Mark(x: grid.x, y: 0, kind: .box(width: grid.width, height: strip.height, color: PaperStyle.shade)))
      }
      for (column, cell) in cells.enumerated() where index < cell.lines.lines.count {
        strip.marks +=
          cell.text.text.isEmpty
          ? [Mark(x: 0, y: 0, kind: .nothing, node: cell.node)]
          : marks(cell.lines, cell.text, line: index, x: grid.columns[column].x, y: top, node: cell.node)
      }
      if isBottom {
        strip.marks.append(
          Mark(x: grid.x, y: strip.height - 0.6, kind: .box(width: grid.width, height: 0.6, color: PaperStyle.hairline)))
      }
      append(strip)
    }
  }

  /// The strips of a row as one, which belongs to nothing: whoever is read to has heard it.
  private mutating func repeatable(_ strips: ArraySlice<Strip>) -> Int {
    var row = Strip(height: 0)
    for strip in strips {
      for var mark in strip.marks {
        mark.y += row.height
        mark.node = nil
        row.marks.append(mark)
      }
      row.height += strip.height
    }
    flow.headers.append(row)
    return flow.headers.count - 1
  }
}

/// Where the columns of a table stand.
struct TableGrid {
  static let padding = 4.0
  /// Of a column, with its padding.
  static let minimumWidth = 20.0
  private static let gap = 7.0

  /// Left edge and width of each column's text.
  let columns: [(x: Double, width: Double)]
  let x: Double, width: Double

  /// - Parameter natural: how wide each column would be in one line.
  init(natural: [Double], _ x: Double, _ width: Double, isRightToLeft: Bool) {
    let widths = Self.widths(natural.map { $0 + 2 * Self.gap + 0.5 }, within: width)
    self.width = widths.reduce(0, +)
    self.x = isRightToLeft ? x + width - self.width : x
    var edge = isRightToLeft ? x + width : x
    columns = widths.map { width in
      if isRightToLeft { edge -= width }
      defer { if !isRightToLeft { edge += width } }
      return (edge + Self.gap, width - 2 * Self.gap)
    }
  }

  /// Columns that need less than their share get what they need; the others share what is left.
  private static func widths(_ natural: [Double], within width: Double) -> [Double] {
    if natural.reduce(0, +) <= width {
      // A table that is almost as wide as the text becomes as wide.
      let total = natural.reduce(0, +)
      return total > width * 0.6 ? natural.map { $0 * width / total } : natural
    }
    var widths = [Double?](repeating: nil, count: natural.count)
    var left = width
    var open = Set(natural.indices)
    while true {
      let share = left / Double(open.count)
      let modest = open.filter { natural[$0] <= share }
      if modest.isEmpty { return natural.indices.map { widths[$0] ?? max(minimumWidth, share) } }
      for column in modest.sorted() {
        widths[column] = natural[column]
        left -= natural[column]
        open.remove(column)
      }
    }
  }
}
