public import SecretMemory
internal import StrictJSON

/// Writes calls or replies into locked memory, one after the other, for the one who sends.
///
/// A message is begun for a method, gets its fields, and is ended; nothing of it counts before. A reply that is too long, or
/// for which there is no memory, becomes an error reply when it is ended. Debug builds check each message against the table.
///
/// Secrets: this type owns and wipes.
public struct MessageWriter: ~Copyable, Sendable {
  /// The most bytes that may wait when another message is begun: send before.
  public static let maximumWaitingByteCount = 64 << 10

  var writer: JSONWriter<SecretSink>?
  private var sink: SecretSink?
  private var fields: [FieldSpec] = []
  /// Where the message that is being written begins.
  private var start = 0
  private var hasFields = false
  var depth = 0

  /// A writer with nothing in it.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  public init() throws(SecretMemoryError) { sink = try SecretSink(limit: 0) }

  // MARK: - What waits

  /// Lends the messages that are whole, each with its NUL, to `send`, and wipes them, whatever comes of that.
  ///
  /// - Throws: what `send` throws.
  /// - Precondition: no message is being written.
  public mutating func drain<R, E: Error>(_ send: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    guard var waiting = sink.take() else { preconditionFailure("a message is being written") }
    do throws(E) {
      let result = try send(waiting.bytes.bytes)
      waiting.removeAll()
      sink = consume waiting
      return result
    } catch {
      waiting.removeAll()
      sink = consume waiting
      throw error
    }
  }

  /// How many bytes there are, those of the message that is being written too.
  public var byteCount: Int {
    switch sink {
    case .some(let waiting): return waiting.count
    case .none: break
    }
    switch writer {
    case .some(let unfinished): return unfinished.sink.count
    case .none: return 0
    }
  }

  /// How many bytes the message that is being written has.
  public var messageByteCount: Int { byteCount - start }

  /// True where there was no locked memory for what was written of the message: it becomes an error when it is ended.
  public var isExhausted: Bool {
    switch writer {
    case .some(let unfinished): unfinished.sink.failure == .exhausted
    case .none: false
    }
  }

  // MARK: - One call

  /// Begins a call. False flags and empty parameters are left out.
  ///
  /// - Precondition: no message is being written, and at most ``maximumWaitingByteCount`` bytes wait.
  public mutating func beginCall(_ method: WireMethod) { beginCall(method.fullName, method.spec) }

  /// Begins a call of a method that is not ours.
  public mutating func beginCall(_ fullName: String, _ method: MethodSpec) {
    begin(fields: method.parameters)
    writer?.key("method")
    writer?.string(fullName)
  }

  /// Ends the call.
  ///
  /// - Throws: `tooLarge`, `busy`: nothing of it is left then.
  public mutating func endCall(_ flag: CallFlag? = nil) throws(WireError) {
    if hasFields { writer?.endObject() }
    switch flag {
    case .more: writer?.key("more")
    case .oneway: writer?.key("oneway")
    case nil: break
    }
    if flag != nil { writer?.bool(true) }
    if let failure = close() { throw Self.error(for: failure) }
  }

  private static func error(for failure: SecretSink.Failure) -> WireError {
    switch failure {
    case .full: .tooLarge(limit: WireLimits.maximumMessageByteCount)
    case .exhausted: .busy
    }
  }

  // MARK: - One reply

  /// Begins a reply of a method.
  ///
  /// - Precondition: no message is being written, and at most ``maximumWaitingByteCount`` bytes wait.
  public mutating func begin(_ method: MethodSpec) { begin(fields: method.reply) }

  /// Ends the reply.
  ///
  /// - Parameter continues: whether another one follows, to a call with `more`.
  /// - Throws: `tooLarge`, `busy`: nothing of it is left then.
  public mutating func end(continues: Bool = false) throws(WireError) {
    if hasFields { writer?.endObject() }
    if continues {
      writer?.key("continues")
      writer?.bool(true)
    }
    if let failure = close() { throw Self.error(for: failure) }
  }

  /// Drops the message that is being written, if there is one.
  public mutating func abandon() {
    guard let unfinished = writer.take() else { return }
    sink = unfinished.abandon()
    sink?.rewind(to: start, limit: start)
  }

  /// Writes an error reply, in place of the one that is being written if there is one.
  public mutating func fail(_ error: WireError) {
    abandon()
    write(error)
  }

  private mutating func write(_ error: WireError) {
    begin(fields: error.name.spec.parameters)
    writer?.key("error")
    writer?.string(error.name.fullName)
    error.write(into: &self)
    if hasFields { writer?.endObject() }
    // An error is short; where even that finds no memory, the connection has to be closed.
    _ = close()
  }

  private mutating func begin(fields: [FieldSpec]) {
    guard var sink = sink.take() else { preconditionFailure("a message is being written") }
    precondition(sink.count <= Self.maximumWaitingByteCount, "what waits has to be sent first")
    start = sink.count
    // One byte is kept for the NUL.
    sink.rewind(to: start, limit: start + WireLimits.maximumMessageByteCount - 1)
    self.fields = fields
    hasFields = false
    depth = 0
    var started = JSONWriter(sink)
    started.beginObject()
    writer = consume started
  }

  /// Closes the message and puts the NUL behind it, or takes it back.
  private mutating func close() -> SecretSink.Failure? {
    guard var ended = writer.take() else { preconditionFailure("no message is being written") }
    ended.endObject()
    var closed = ended.finish()
    let failure = closed.failure
    if failure == nil {
      assert(isOfSpec(closed.bytes.bytes.extracting(start...)), "not as the table has it")
      closed.rewind(to: closed.count, limit: closed.count + 1)
      closed.append(0)
    } else {
      closed.rewind(to: start, limit: start)
    }
    sink = consume closed
    return failure
  }

  /// Whether a message has just the fields that the table says.
  private func isOfSpec(_ message: Span<UInt8>) -> Bool {
    let text = WireType.optional(.string)
    let flag = WireType.optional(.bool)
    let envelope = [
      FieldSpec(.method, text), FieldSpec(WireField("error"), text), FieldSpec(WireField("continues"), flag),
      FieldSpec(WireField("more"), flag), FieldSpec(WireField("oneway"), flag),
      FieldSpec(WireField("parameters"), hasFields ? .structure(fields) : .optional(.structure(fields))),
    ]
    return (hasFields || fields.allSatisfy(\.isOptional)) && WireConformance.check(message, is: .structure(envelope))
  }

  mutating func key(_ field: WireField) {
    if !hasFields, depth == 0 {
      hasFields = true
      writer?.key("parameters")
      writer?.beginObject()
    }
    writer?.key(field.name)
  }
}
