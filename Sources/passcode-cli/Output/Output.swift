internal import Glibc
internal import PasscodePlatform
internal import SecretMemory
internal import StrictJSON

/// Where a command writes: data on 1, everything else on 2.
enum Output {
  /// Data, byte for byte.
  static func write(_ bytes: Span<UInt8>) throws(CommandError) { try write(bytes, to: 1) }

  /// Data as text, with a newline.
  static func line(_ text: String) throws(CommandError) { try write(Array((text + "\n").utf8).span, to: 1) }

  /// Data as text, with a newline after each line; one write for all.
  static func lines(_ lines: [String]) throws(CommandError) {
    guard !lines.isEmpty else { return }
    try line(lines.joined(separator: "\n"))
  }

  /// Data as one JSON document; on a terminal escaped, so that no name in it can drive the terminal.
  static func json(_ body: (inout JSONWriter<ByteSink>) -> Void) throws(CommandError) {
    let document = document(body)
    guard isTerminal else { return try write(document.span, to: 1) }
    try write(Array(String(decoding: document, as: UTF8.self).shownAsJSON.utf8).span, to: 1)
  }

  /// Text of others as data: byte for byte where a program reads it, and unable to drive a terminal on one.
  static func shown(_ text: String) -> String { isTerminal ? text.shown : text }

  static let isTerminal = Terminal.isTerminal(1)

  /// The columns to set a text in that a person reads: the terminal's, else 80; never so many that a line is hard to follow.
  static var columns: Int {
    guard isTerminal, let terminal = try? Terminal.open() else { return 80 }
    return min(terminal.columns, 100)
  }

  /// A message that a script can do without.
  static func note(_ text: String, unless isQuiet: Bool) {
    if !isQuiet { messages(["passcode: \(text)"]) }
  }

  /// Text on a terminal that the next one takes the place of; empty takes it away.
  static func transient(_ text: String) { try? write(Array("\r\(text)\u{1b}[K".utf8).span, to: 2) }

  /// An error, as text or as one JSON document.
  static func error(_ error: CommandError, asJSON: Bool) {
    guard asJSON else {
      messages(["passcode: \(error.message)"] + error.details)
      return
    }
    let document = document { writer in
      writer.beginObject()
      writer.key("error")
      writer.string(error.name)
      writer.key("message")
      writer.string(error.lines.joined(separator: "\n"))
      for fact in error.facts { write(fact, &writer) }
      writer.endObject()
    }
    try? write(Array(String(decoding: document, as: UTF8.self).shownAsJSON.utf8).span, to: 2)
  }

  private static func write(_ fact: (key: String, value: CommandError.Fact), _ writer: inout JSONWriter<ByteSink>) {
    writer.key(fact.key)
    switch fact.value {
    case .text(let text): writer.string(text)
    case .number(let number): writer.integer(number)
    case .texts(let texts): writer.strings(texts)
    case .requirements(let requirements):
      writer.beginArray()
      for requirement in requirements {
        writer.beginObject()
        writer.key("id")
        writer.string(requirement.id)
        writer.key("text")
        writer.string(requirement.text)
        writer.endObject()
      }
      writer.endArray()
    }
  }

  /// Whatever came into a message, it is a line, and no terminal obeys it.
  private static func messages(_ lines: [String]) {
    try? write(Array(lines.map { $0.shown + "\n" }.joined().utf8).span, to: 2)
  }

  private static func document(_ body: (inout JSONWriter<ByteSink>) -> Void) -> [UInt8] {
    var writer = JSONWriter(ByteSink(), pretty: true)
    body(&writer)
    return writer.finish().bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ bytes: Span<UInt8>, to number: Int32) throws(CommandError) {
    let descriptor = FileDescriptor(owning: number)
    let failure: PlatformError?
    do {
      try descriptor.writeAll(bytes)
      failure = nil
    } catch {
      failure = error
    }
    _ = descriptor.take()
    if let failure { throw CommandError(74, "Output", "standard output: \(failure)") }
  }
}

extension JSONWriter where Sink: ~Copyable {
  mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  mutating func strings(_ pairs: [String: String]) {
    beginObject()
    for (key, value) in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      self.key(key)
      string(value)
    }
    endObject()
  }

  mutating func optional(_ text: String?) { if let text { string(text) } else { null() } }
  mutating func optional(_ number: Int?) { if let number { integer(number) } else { null() } }
}
