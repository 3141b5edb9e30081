/// What is done for one page, in order.
public enum PageStep: Sendable {
  /// Opens a tag; with what it leads to where it is a link.
  case begin(tag: String, url: String?)
  /// Closes the innermost tag, which has this name.
  case end(tag: String)
  /// Draws a mark; x and y are of the page.
  case draw(Mark, x: Double, y: Double, height: Double)
}

/// Turns pages of strips into steps: what belongs to nothing first, then everything in the order of the document, in its tags.
///
/// In cairo only a tag without others in it holds what is drawn, and it has to end on its page. So a paragraph that holds a link, or
/// goes over a page's end, stays open, and each stretch of it is a `Span`.
public struct PageScript {
  /// The words in the place of pictures, in the order of the document.
  public private(set) var figures: [String] = []
  private let flow: Flow
  private let origin: (x: Double, y: Double)
  private let needsSpans: [Bool]
  private let lastPage: [Int]
  private var open: [Int] = []
  private var leaf: (tag: String, mark: StyledText.Part)?
  private var steps: [PageStep] = []

  /// A script that has not begun.
  ///
  /// - Parameter top: of the text, on the page.
  public init(_ flow: Flow, pages: [[PlacedStrip]], top: Double) {
    self.flow = flow
    origin = (0, top)
    var first = [Int?](repeating: nil, count: flow.nodes.count)
    var last = [Int](repeating: 0, count: flow.nodes.count)
    var needs = [Bool](repeating: false, count: flow.nodes.count)
    for (number, page) in pages.enumerated() {
      for placed in page where !placed.isRepeated {
        for mark in flow.strips[placed.strip].marks {
          guard let node = mark.node else { continue }
          if mark.part != .text || first[node].map({ $0 != number }) ?? false { needs[node] = true }
          first[node] = first[node] ?? number
          last[node] = number
        }
      }
    }
    for node in flow.nodes.indices.reversed() {
      if let parent = flow.nodes[node].parent { last[parent] = max(last[parent], last[node]) }
    }
    (lastPage, needsSpans) = (last, needs)
  }

  /// The steps of a page. Pages are asked for in their order.
  public mutating func steps(_ page: [PlacedStrip], number: Int) -> [PageStep] {
    steps = []
    if number == 0 { push(0) }
    var marks: [(mark: Mark, placed: PlacedStrip, height: Double)] = []
    for placed in page {
      let strip = placed.isRepeated ? flow.headers[placed.strip] : flow.strips[placed.strip]
      for mark in strip.marks { marks.append((mark, placed, strip.height)) }
    }
    for (mark, placed, height) in marks where mark.node == nil { draw(mark, placed, height) }
    let structured = marks.enumerated().filter { $0.element.mark.node != nil }
    // Cells stand beside each other, and are read one after the other.
    let ordered = structured.sorted { ($0.element.mark.node!, $0.offset) < ($1.element.mark.node!, $1.offset) }
    for (_, (mark, placed, height)) in ordered {
      enter(mark.node!, mark)
      draw(mark, placed, height)
    }
    closeLeaf()
    while let node = open.last, lastPage[node] <= number { pop() }
    return steps
  }

  private mutating func draw(_ mark: Mark, _ placed: PlacedStrip, _ height: Double) {
    var (y, height) = (origin.y + placed.y + mark.y, height)
    if case .backdrop = mark.kind {
      y -= placed.space
      height += placed.space
    }
    steps.append(.draw(mark, x: origin.x + mark.x, y: y, height: height))
  }

  /// Closes and opens tags until what is drawn next belongs to the node.
  private mutating func enter(_ node: Int, _ mark: Mark) {
    var path: [Int] = []
    var next: Int? = node
    while let current = next {
      path.append(current)
      next = flow.nodes[current].parent
    }
    path.reverse()
    var common = 0
    while common < min(path.count, open.count), path[common] == open[common] { common += 1 }
    if common < open.count || common < path.count { closeLeaf() }
    while open.count > common { pop() }
    for node in path[common...] { push(node) }
    if needsSpans[node] { openLeaf(mark) }
  }

  private mutating func openLeaf(_ mark: Mark) {
    // Each line of a link is one of its own: the place to click is a box around it.
    if leaf?.mark == mark.part, mark.part == .text { return }
    closeLeaf()
    switch mark.part {
    case .text:
      steps.append(.begin(tag: "Span", url: nil))
      leaf = ("Span", mark.part)
    case .link(let url):
      steps.append(.begin(tag: "Link", url: LinkAddress.uri(url)))
      leaf = ("Link", mark.part)
    case .figure(let words):
      figures.append(words)
      steps.append(.begin(tag: "Figure", url: nil))
      leaf = ("Figure", mark.part)
    }
  }

  private mutating func closeLeaf() {
    if let leaf { steps.append(.end(tag: leaf.tag)) }
    leaf = nil
  }

  private mutating func push(_ node: Int) {
    steps.append(.begin(tag: flow.nodes[node].role.rawValue, url: nil))
    open.append(node)
  }

  private mutating func pop() { steps.append(.end(tag: flow.nodes[open.removeLast()].role.rawValue)) }
}
