internal import ConsentCore
internal import StrictJSON

/// The screens of one form of a flow.
struct ReviewScreens {
  let item: ConsentAgendaItem
  /// Which form of how many.
  let index: Int
  let count: Int
  let theme: ConsentTheme

  private var labels: ConsentLabels { item.variant.labels }
  private var title: String { item.variant.title }

  private var heading: String { "\(title) · \(item.form.isRequired ? "required" : "optional")" }

  private var document: ConsentDocument? {
    if case .document(let document) = item.variant.content { document } else { nil }
  }

  /// What changed since what was agreed to before.
  var changes: ReviewScreen? {
    guard let before = item.standing.agreedBefore else { return nil }
    let told = item.variant.changes?.rich.blocks ?? [.paragraph([.text("Please read it again.")])]
    let intro = RichBlock.paragraph([
      .text("You agreed to version \(before). Version \(item.form.version) takes its place. What has changed:")
    ])
    return screen([intro] + told, [.init(key: "n", label: labels[.next], action: .next), cancel], step: nil)
  }

  /// A place of the form that is read and answered by a key.
  func screen(at place: ConsentPlace) -> ReviewScreen {
    switch (item.variant.content, place) {
    case (.pages(let pages), .page(let number)):
      let page = pages[number]
      let blocks = (page.title.map { [RichBlock.heading(level: 2, [.text($0)])] } ?? []) + page.body.rich.blocks
      let isLast = number == pages.count - 1
      return screen(
        blocks + (isLast ? processing : []), moves(back: number > 0, next: !isLast, page.learnMore, decides: isLast),
        step: (number, pages.count))
    case (.document(let document), .section(let number)):
      let section = document.shownSections[number]
      let title = section.title.map { [RichBlock.heading(level: 2, [.text($0)])] } ?? []
      let blocks = title + (section.summary.map { [.paragraph([.text($0)])] } ?? [])
      return screen(blocks, moves(back: number > 0, next: true, section.learnMore), step: (number, steps.count))
    case (.document(let document), .review(let isOpen)):
      let text = DocumentFormatter().text(of: document, mode: .review, labels: labels)
      let hasScenes = !document.shownSections.isEmpty
      let buttons = moves(back: hasScenes, next: false, nil, decides: true, waits: !isOpen)
      return screen(text.blocks + processing, buttons, step: (document.shownSections.count, steps.count))
    default: return sharing
    }
  }

  /// The form's steps, for counting.
  private var steps: [ConsentPlace] {
    guard case .document(let plan) = ConsentPlan(item.form, in: item.variant).content else { return [] }
    let scenes = (0..<plan.sections).map { ConsentPlace.section($0) } + [.review(isOpen: true)]
    return scenes + (plan.asksName ? [.name] : []) + (plan.asksImage ? [.image] : []) + (plan.asksSharing ? [.sharing] : [])
  }

  /// The heading of what is asked in lines.
  func words(at place: ConsentPlace) -> String {
    let step = steps.firstIndex(of: place).map { progress(($0, steps.count)) } ?? nil
    let role = document?.signatures.first?.role ?? ""
    return [heading, step, role.isEmpty ? nil : "You sign as: \(role)"].compactMap { $0 }.joined(separator: "\n")
  }

  private var sharing: ReviewScreen {
    let asked = document?.sharing
    let parties = (asked?.shortName ?? "", asked?.longName ?? "")
    let blocks: [RichBlock] = [
      .heading(level: 2, [.text(labels[.sharing])]),
      .list(
        RichList(
          start: 1,
          items: [
            [.paragraph([.text("Share my data with \(parties.0) and with qualified others anywhere")])],
            [.paragraph([.text("Share my data with \(parties.1) and nobody else")])],
          ])),
    ]
    let buttons: [ReviewScreen.Button] = [
      .init(key: "1", label: parties.0 + ", and others", action: .widely),
      .init(key: "2", label: parties.1 + " only", action: .narrowly),
      .init(key: "l", label: "Learn more", action: .learnMore), .init(key: "p", label: labels[.back], action: .back), cancel,
    ]
    return screen(blocks, buttons, step: (steps.count - 1, steps.count))
  }

  /// What *learn more* opens.
  ///
  /// - Parameter canOpen: whether there is something that opens an address.
  func learnMore(at place: ConsentPlace, canOpen: Bool) -> ReviewScreen? {
    guard let more = target(at: place) else { return nil }
    var buttons: [ReviewScreen.Button] = [.init(key: "p", label: labels[.back], action: .back)]
    var blocks: [RichBlock]
    switch more.target {
    case .text(let text): blocks = text.rich.blocks
    case .url(let url):
      blocks = [.paragraph([.link(url: url, [.text(url)])])]
      if canOpen { buttons.insert(.init(key: "o", label: "Open in the browser", action: .open), at: 0) }
    }
    blocks.insert(.heading(level: 2, [.text(more.title)]), at: 0)
    var screen = screen(blocks, buttons, step: nil)
    screen.interruption = .back
    return screen
  }

  /// What *learn more* at a place leads to.
  func target(at place: ConsentPlace) -> ConsentLearnMore? {
    switch (item.variant.content, place) {
    case (.pages(let pages), .page(let number)): pages[number].learnMore
    case (.document(let document), .section(let number)): document.shownSections[number].learnMore
    case (.document(let document), .sharing):
      document.sharing.map { ConsentLearnMore(title: labels[.sharing], target: .text($0.learnMore)) }
    default: nil
    }
  }

  func question(_ question: ConsentQuestion) -> ReviewScreen {
    let no = ReviewScreen.Button(key: "n", label: labels[.back], action: .no)
    var screen: ReviewScreen
    switch question {
    case .agree:
      let reason = document?.review.reason ?? "\(labels[.agree]): \(title)?"
      screen = self.screen(
        [.paragraph([.text(reason)])], [.init(key: "y", label: labels[.agree], action: .yes), no], step: nil)
    case .deny:
      let buttons: [ReviewScreen.Button] = [
        .init(key: "y", label: labels[.deny], action: .yes), .init(key: "a", label: labels[.agree], action: .agree), no,
      ]
      screen = self.screen([.paragraph([.text(labels[.denyQuestion])])], buttons, step: nil)
    case .cancel:
      let yes = ReviewScreen.Button(key: "y", label: labels[.leave], action: .yes)
      let stay = ReviewScreen.Button(key: "n", label: labels[.stay], action: .no)
      screen = self.screen([.paragraph([.text(labels[.cancelQuestion])])], [yes, stay], step: nil)
    }
    // Who insists on leaving leaves.
    screen.interruption = question == .cancel ? .yes : .no
    return screen
  }

  /// What nobody agrees to without having seen it.
  private var processing: [RichBlock] { item.form.processingText(in: item.variant).blocks }

  private var cancel: ReviewScreen.Button { .init(key: "q", label: labels[.cancel], action: .cancel) }

  private func moves(
    back: Bool, next: Bool, _ more: ConsentLearnMore?, decides: Bool = false, waits: Bool = false
  ) -> [ReviewScreen.Button] {
    var buttons: [ReviewScreen.Button] = []
    if decides {
      let no = item.form.isRequired ? labels[.deny] : labels[.notNow]
      buttons.append(.init(key: "a", label: labels[.agree], action: .agree, waitsForEnd: waits))
      buttons.append(.init(key: "d", label: no, action: .decline))
    }
    if next { buttons.append(.init(key: "n", label: labels[.next], action: .next)) }
    if back { buttons.append(.init(key: "p", label: labels[.back], action: .back)) }
    if let more { buttons.append(.init(key: "l", label: more.title, action: .learnMore)) }
    return buttons + [cancel]
  }

  private func screen(_ blocks: [RichBlock], _ buttons: [ReviewScreen.Button], step: (Int, Int)?) -> ReviewScreen {
    ReviewScreen(
      heading: heading, progress: progress(step), text: RichText(blocks), locale: item.variant.locale, theme: theme,
      buttons: buttons)
  }

  private func progress(_ step: (Int, Int)?) -> String? {
    let form = count > 1 ? "form \(index + 1) of \(count)" : nil
    let page = step.flatMap { $0.1 > 1 ? "step \($0.0 + 1) of \($0.1)" : nil }
    let parts = [form, page].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
