/// Puts the headings of a text below the heading that it stands under.
enum HeadingDemotion {
  /// The blocks with their headings moved down by as many levels as it takes, as far as there are levels.
  static func below(_ level: Int, _ blocks: [RichBlock]) -> [RichBlock] {
    guard let highest = blocks.flatMap({ levels($0) }).min(), highest <= level else { return blocks }
    return blocks.map { moved($0, level + 1 - highest) }
  }

  private static func levels(_ block: RichBlock) -> [Int] {
    switch block {
    case .heading(let level, _): [level]
    case .quote(let blocks): blocks.flatMap { levels($0) }
    case .list(let list): list.items.flatMap { $0.flatMap { levels($0) } }
    default: []
    }
  }

  private static func moved(_ block: RichBlock, _ steps: Int) -> RichBlock {
    switch block {
    case .heading(let level, let spans): return .heading(level: min(6, level + steps), spans)
    case .quote(let blocks): return .quote(blocks.map { moved($0, steps) })
    case .list(var list):
      list.items = list.items.map { $0.map { moved($0, steps) } }
      return .list(list)
    default: return block
    }
  }
}
