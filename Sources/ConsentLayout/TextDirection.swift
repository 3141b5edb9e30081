internal import ConsentCore

/// Which way a text runs.
///
/// Source: Unicode Standard Annex #9, rules P2 and P3, but for one thing: in a paper of a language that is written from right to
/// left, a text with any letter of such a script runs so, whatever it begins with. Latin names at the start are common there.
enum TextDirection {
  static func isRightToLeft(_ spans: [RichSpan], base: Bool) -> Bool {
    var strong: [Bool] = []
    collect(spans, &strong)
    guard let first = strong.first else { return base }
    return base ? strong.contains(true) : first
  }

  static func isRightToLeft(_ text: String, base: Bool) -> Bool { isRightToLeft([.text(text)], base: base) }

  /// The direction of the first block that has letters.
  static func isRightToLeft(_ blocks: [RichBlock], base: Bool) -> Bool {
    for block in blocks {
      var strong: [Bool] = []
      collect(block, &strong)
      if let first = strong.first { return base ? strong.contains(true) : first }
    }
    return base
  }

  private static func collect(_ block: RichBlock, _ strong: inout [Bool]) {
    switch block {
    case .heading(_, let spans), .paragraph(let spans): collect(spans, &strong)
    case .list(let list): for item in list.items { for block in item { collect(block, &strong) } }
    case .quote(let blocks): for block in blocks { collect(block, &strong) }
    case .table(let table): for row in [table.header] + table.rows { for cell in row { collect(cell, &strong) } }
    case .code, .rule, .pageBreak, .signature: break
    }
  }

  /// The directions of the letters, once for each change. What is isolated does not count.
  private static func collect(_ spans: [RichSpan], _ strong: inout [Bool]) {
    for span in spans {
      switch span {
      case .text(let text): collect(text, &strong)
      case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(_, let inner): collect(inner, &strong)
      case .isolated, .code, .image, .lineBreak: break
      }
    }
  }

  private static func collect(_ text: String, _ strong: inout [Bool]) {
    for scalar in text.unicodeScalars {
      let isRight: Bool
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A: isRight = false
      case ..<0xAA: continue
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        guard scalar.properties.isAlphabetic, scalar.properties.generalCategory != .nonspacingMark else { continue }
        isRight = true
      default:
        guard scalar.properties.isAlphabetic else { continue }
        isRight = false
      }
      if strong.last != isRight { strong.append(isRight) }
    }
  }
}
