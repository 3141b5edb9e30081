internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

/// Leads a person through forms on their terminal. The order and the rules are the flow's; its answers are recorded by the
/// daemon, all in one call.
final class ReviewRunner {
  private let session: Session
  private let dialogue: Dialogue
  private let presenter: any ReviewPresenting
  private let surroundings = Surroundings()
  private let theme: ConsentTheme
  /// The forms whose changes were told.
  private var told: Set<Int> = []
  private var failure: CommandError?
  /// The entries that the answers became.
  private(set) var records: [WireConsentRecord] = []

  init(_ session: Session, _ dialogue: Dialogue) throws(CommandError) {
    self.session = session
    self.dialogue = dialogue
    theme = try ThemeFile.theme(session)
    presenter = dialogue.canRedraw ? FullScreenPager(dialogue: dialogue) : PlainPager(dialogue: dialogue)
  }

  /// Asks the forms.
  ///
  /// - Returns: how it ended; the answers are recorded then.
  func run(_ items: [ConsentAgendaItem]) throws(CommandError) -> ConsentEnd {
    let flow = ConsentFlow(ConsentAgenda(decided: items), delegate: self)
    while true {
      switch flow.step {
      case .showing(let index, let place): try show(flow, index, place)
      case .asking(let index, let question): try ask(flow, index, question)
      case .ended(let end): return end
      case .failed: throw failure ?? CommandError(70, "Internal", "the answers could not be recorded")
      }
    }
  }

  private func show(_ flow: ConsentFlow, _ index: Int, _ place: ConsentPlace) throws(CommandError) {
    let screens = ReviewScreens(item: flow.items[index], index: index, count: flow.items.count, theme: theme)
    if !told.contains(index), let changes = screens.changes {
      let answer = try presenter.present(changes)
      if answer.action == .cancel { return take { () throws(ConsentRefusal) in try flow.cancel() } }
      told.insert(index)
      return
    }
    switch place {
    case .name: try askName(flow, screens)
    case .image: try askImage(flow, screens)
    case .page, .section, .review, .sharing: try read(flow, screens, place)
    }
  }

  private func read(_ flow: ConsentFlow, _ screens: ReviewScreens, _ place: ConsentPlace) throws(CommandError) {
    let answer = try presenter.present(screens.screen(at: place))
    if answer.hasSeenEnd, case .review(isOpen: false) = place { take { () throws(ConsentRefusal) in try flow.sawEnd() } }
    if answer.action == .learnMore { return try learnMore(screens, place) }
    take { () throws(ConsentRefusal) in
      switch answer.action {
      case .next: try flow.next()
      case .back: try flow.back()
      case .agree: try flow.agree()
      case .decline: try flow.decline()
      case .cancel: try flow.cancel()
      case .widely: try flow.share(.widely)
      case .narrowly: try flow.share(.narrowly)
      case .learnMore, .open, .yes, .no: break
      }
    }
  }

  private func learnMore(_ screens: ReviewScreens, _ place: ConsentPlace) throws(CommandError) {
    let browser = Browser.find(surroundings.environment)
    guard let screen = screens.learnMore(at: place, canOpen: browser != nil) else { return }
    while try presenter.present(screen).action == .open {
      if case .url(let url)? = screens.target(at: place)?.target { browser?.open(url) }
    }
  }

  private func ask(_ flow: ConsentFlow, _ index: Int, _ question: ConsentQuestion) throws(CommandError) {
    let screens = ReviewScreens(item: flow.items[index], index: index, count: flow.items.count, theme: theme)
    let answer = try presenter.present(screens.question(question))
    take { () throws(ConsentRefusal) in
      if answer.action == .agree { try flow.agree() } else { try flow.answer(answer.action == .yes) }
    }
  }

  private func askName(_ flow: ConsentFlow, _ screens: ReviewScreens) throws(CommandError) {
    guard case .document(let document) = screens.item.variant.content, let place = document.signatures.first else { return }
    dialogue.say("")
    for line in screens.words(at: .name).split(separator: "\n") { dialogue.say(String(line)) }
    let questions = SignerQuestions(dialogue: dialogue, place: place)
    guard let given = try questions.ask(at: surroundings.instant) else {
      return take { () throws(ConsentRefusal) in try flow.cancel() }
    }
    take { () throws(ConsentRefusal) in try flow.name(given) }
  }

  private func askImage(_ flow: ConsentFlow, _ screens: ReviewScreens) throws(CommandError) {
    dialogue.say("")
    for line in screens.words(at: .image).split(separator: "\n") { dialogue.say(String(line)) }
    while true {
      guard let path = try dialogue.line("PNG file of your signature: ") else {
        return take { () throws(ConsentRefusal) in try flow.cancel() }
      }
      if path.isEmpty { continue }
      do throws(CommandError) {
        let image = try SignatureInput.image(surroundings.expanded(path))
        return take { () throws(ConsentRefusal) in try flow.draw(image, at: surroundings.instant) }
      } catch {
        dialogue.say(error)
      }
    }
  }

  /// A refusal leaves the flow where it is, and the same is asked again.
  private func take(_ step: () throws(ConsentRefusal) -> Void) {
    do throws(ConsentRefusal) { try step() } catch {
      if case .improper(let fault) = error { dialogue.say("\(fault); please try again") }
    }
  }
}

extension ReviewRunner: ConsentFlowDelegate {
  func record(_ answers: [ConsentAnswer], end: ConsentEnd) -> Bool {
    let answers = answers.map(WireConsentAnswer.init)
    do throws(CommandError) {
      records = try session.call { client throws(ClientError) in
        try client.answer(answers, surroundings.occasion(.terminal))
      }
      return true
    } catch {
      failure = error
      return false
    }
  }

  func didReceiveResponse(_ acceptances: [ConsentAcceptance]) {}
  func didCancel(_ acceptances: [ConsentAcceptance]) {}
}

extension WireConsentAnswer {
  /// An answer of the flow, naming the text that was shown.
  init(_ answer: ConsentAnswer) {
    let form = answer.item.form
    let choice: WireConsentChoice =
      switch answer.choice {
      case .agreed: .agreed
      case .denied: .denied
      case .notNow: .notNow
      case nil: .requested
      }
    self.init(
      form: form.id.description, version: form.version.description, sha256: form.text(of: answer.item.variant).digest.hex,
      choice: choice)
    if choice == .agreed, let own = answer.document?.signatures.first { signature = WireSignature(own) }
    sharing = answer.sharing.flatMap { WireSharing(rawValue: $0.rawValue) }
  }
}

extension WireSignature {
  /// What was given; nil where nothing was.
  init?(_ given: ConsentSignature) {
    self.init(id: given.id)
    (givenName, familyName) = (given.givenName, given.familyName)
    nameOrder = given.nameOrder.flatMap { WireNameOrder(rawValue: $0.rawValue) }
    image = given.image.map { Base64Text.encode($0.png) }
    for field in given.fields { if let value = field.value { fields[field.id] = value } }
    if self == WireSignature(id: given.id) { return nil }
  }
}
