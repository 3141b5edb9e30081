/// A strip on its page.
public struct PlacedStrip: Equatable, Sendable {
  /// Its number, among the headers where it stands again.
  public var strip: Int
  /// Whether it is a row that stands again.
  public var isRepeated = false
  /// Its top, below the top of the text.
  public var y: Double
  /// The space above it that is there.
  public var space: Double
}

/// Cuts strips into pages: each page takes what fits, and ends where it may. Nothing is left out, and no page is empty.
public struct Paginator {
  private let flow: Flow
  private let height: Double
  private var pages: [[PlacedStrip]] = []
  private var page: [PlacedStrip] = []
  private var y = 0.0

  /// The pages of a text.
  ///
  /// - Parameter height: of the text on a page.
  /// - Complexity: O(*n*), as each strip moves to the next page at most once.
  public static func pages(_ flow: Flow, height: Double) -> [[PlacedStrip]] {
    var paginator = Paginator(flow: flow, height: height)
    paginator.run()
    return paginator.pages
  }

  private init(flow: Flow, height: Double) {
    self.flow = flow
    self.height = height
  }

  private mutating func run() {
    // What is empty at the end would make a page of its own.
    let count = 1 + (flow.strips.lastIndex { !$0.marks.isEmpty } ?? 0)
    for index in flow.strips.indices.prefix(count) {
      if flow.strips[index].breakBefore == .forced, !page.isEmpty { turn() }
      if !fits(index) { makeRoom() }
      place(index)
    }
    turn()
    // A file has a page at least.
    if pages.isEmpty { pages = [[]] }
  }

  private func fits(_ index: Int) -> Bool {
    let strip = flow.strips[index]
    let space = page.isEmpty ? 0 : strip.spaceBefore
    // A rounding of lengths is no reason to turn the page.
    return page.isEmpty || y + space + strip.height <= height + 0.01
  }

  /// Ends the page at the last place where it may end, and takes along what was behind that.
  private mutating func makeRoom() {
    let next = 1 + page.last!.strip
    var cut = next
    while cut > 0, flow.strips[cut].breakBefore == .avoided { cut -= 1 }
    let first = page.first { !$0.isRepeated }!.strip
    let isWithinPage = cut > first
    let moved = isWithinPage ? cut..<next : next..<next
    page.removeAll { !$0.isRepeated && moved.contains($0.strip) }
    turn()
    for index in moved {
      if !fits(index) { turn() }
      place(index)
    }
    if !fits(next) { turn() }
  }

  private mutating func place(_ index: Int) {
    let strip = flow.strips[index]
    if page.isEmpty, let header = strip.header, flow.headers[header].height + strip.height <= height {
      page.append(PlacedStrip(strip: header, isRepeated: true, y: 0, space: 0))
      y = flow.headers[header].height
      page.append(PlacedStrip(strip: index, y: y, space: 0))
      y += strip.height
      return
    }
    let space = page.isEmpty ? 0 : strip.spaceBefore
    page.append(PlacedStrip(strip: index, y: y + space, space: space))
    y += space + strip.height
  }

  private mutating func turn() {
    if !page.isEmpty { pages.append(page) }
    page = []
    y = 0
  }
}
