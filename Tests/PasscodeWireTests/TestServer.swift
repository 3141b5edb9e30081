import PasscodeWire
import SecretMemory

/// The server's loop without a socket: bytes in, bytes out.
struct TestServer: Sendable {
  typealias Handler = @Sendable (CallLayout, borrowing WireFields, inout MessageWriter) throws(WireError) -> Void

  let catalog: WireCatalog
  let handler: Handler

  init(_ catalog: WireCatalog = .standard, _ handler: @escaping Handler = TestServer.answer) {
    self.catalog = catalog
    self.handler = handler
  }

  /// Feeds `input` in pieces of these sizes, over and over, and returns what comes back.
  func run(_ input: [UInt8], pieces: [Int] = [.max]) throws -> (output: [UInt8], closed: CloseReason?) {
    var inbox = try MessageBuffer()
    var replies = try MessageWriter()
    var output: [UInt8] = []
    var at = 0
    var turn = 0
    do {
      while at < input.count {
        at += try feed(input, from: at, atMost: pieces[turn % pieces.count], into: &inbox)
        turn += 1
        while try inbox.findMessage() {
          try serveOne(&inbox, &replies, &output)
          inbox.dropMessage()
        }
      }
    } catch let reason as CloseReason { return (output, reason) }
    return (output, nil)
  }

  private func feed(_ input: [UInt8], from start: Int, atMost count: Int, into inbox: inout MessageBuffer) throws -> Int {
    if inbox.isFull { try inbox.grow() }
    return unsafe inbox.withFreeSpace { space in
      let taken = min(count, input.count - start, space.count)
      unsafe input[start..<start + taken].withUnsafeBytes { unsafe space.copyMemory(from: $0) }
      return taken
    }
  }

  private func serveOne(_ inbox: inout MessageBuffer, _ replies: inout MessageWriter, _ output: inout [UInt8]) throws {
    let catalog = catalog
    switch try inbox.withMutableMessage({ message throws(CloseReason) in try catalog.parse(&message) }) {
    case .refused(let error, let isOneway):
      if !isOneway { replies.fail(error) }
    case .call(let layout):
      let fields = layout.fields(in: inbox.message, of: catalog)
      do throws(WireError) {
        replies.begin(catalog.methods[layout.methodIndex])
        try handler(layout, fields, &replies)
        try replies.end()
      } catch {
        replies.fail(error)
      }
      if layout.isOneway { replies.drain { _ in } }
    }
    replies.drain { span in for index in span.indices { output.append(span[index]) } }
  }

  static let information = ServiceInformation(
    vendor: "The makers", product: "passcoded", version: "1", url: "https://example.org")

  @Sendable static func answer(_ layout: CallLayout, _ call: borrowing WireFields, _ reply: inout MessageWriter)
    throws(WireError)
  {
    switch layout.method {
    case .getInfo: WireCatalog.standard.describe(information, into: &reply)
    case .getInterfaceDescription: try WireCatalog.standard.describeInterface(call, into: &reply)
    case .monitor:
      reply.word(.state, WireState.locked)
      try reply.end(continues: true)
      reply.begin(WireMethod.monitor.spec)
      reply.word(.state, WireState.unlocked)
      reply.integer(.locksAt, 5)
    case .get:
      if call.string(.name) == "none" { throw .notFound(name: "none") }
      reply.integer(.version, call.integerIfPresent(.version) ?? 7)
      reply.secret(.secret, call.bytes(.name))
    default: break
    }
  }
}

/// A transcript's notation: `¶` is the NUL that ends a message.
func wire(_ text: String) -> [UInt8] { text.utf8Bytes(nul: "¶") }

func text(_ bytes: [UInt8]) -> String {
  String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "¶")
}

extension String {
  fileprivate func utf8Bytes(nul: Character) -> [UInt8] { flatMap { $0 == nul ? [0] : Array(String($0).utf8) } }
}
