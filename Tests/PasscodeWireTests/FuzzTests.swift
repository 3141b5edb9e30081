import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

/// Whatever comes in, the daemon and its clients answer or close.
@Suite struct FuzzTests {
  /// One valid call of each method, by a seeded generator.
  private func calls(_ generator: inout SplitMix64) throws -> [[UInt8]] {
    var messages = try MessageWriter()
    return try WireMethod.allCases.map { method in
      messages.beginCall(method)
      for field in method.spec.parameters { try field.write(.random(field.type, &generator), into: &messages) }
      try messages.endCall(method.spec.replies == .stream ? .more : nil)
      return drained(&messages).dropLast()
    }
  }

  private func mutated(_ seed: [UInt8], _ others: [[UInt8]], _ generator: inout SplitMix64) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...2, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0...7, using: &generator) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 1: bytes[place] = Array("{}[]\",:\\u0e-.\0 \u{1}\u{80}".utf8).randomElement(using: &generator)!
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &generator)))
      case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
      case 6:
        bytes =
          Array(bytes[..<place]) + others.randomElement(using: &generator)!.suffix(Int.random(in: 0...60, using: &generator))
      default:
        let word = [
          #""more":true,"#, #""oneway":true,"#, "null", "1e999", #""\ud800""#, #"{"a":{"a":{}}}"#, "[[[[", "-0", "\u{FEFF}",
        ]
        bytes.insert(contentsOf: word.randomElement(using: &generator)!.utf8, at: place)
      }
    }
    return bytes + [0]
  }

  /// Reads every field of a call, by its type.
  private static let reader = TestServer { layout, call, reply throws(WireError) in
    do {
      for field in WireCatalog.standard.methods[layout.methodIndex].parameters { _ = try field.read(call) }
    } catch let error as WireError { throw error } catch { throw .internalFault }
    throw .cancelled
  }

  @Test("10,000 mutated calls are answered or close the connection, the same however they are split")
  func mutatedCalls() throws {
    var generator = SplitMix64.announced()
    let seeds = try calls(&generator)
    var closed = 0
    var answered = 0
    for round in 0..<10_000 {
      let input = mutated(seeds[round % seeds.count], seeds, &generator)
      let whole = try Self.reader.run(input)
      if whole.closed == nil { answered += 1 } else { closed += 1 }
      guard round % 10 == 0 else { continue }
      let pieces = (0..<5).map { _ in Int.random(in: 1...40, using: &generator) }
      let split = try Self.reader.run(input, pieces: pieces)
      #expect(split.output == whole.output && split.closed == whole.closed, "\(pieces): \(text(input))")
    }
    #expect(closed > 500 && answered > 500)
  }

  @Test("10,000 mutated replies are read, refused or an error for a client")
  func mutatedReplies() throws {
    var generator = SplitMix64.announced()
    var messages = try MessageWriter()
    var seeds: [(WireMethod, [UInt8])] = []
    for method in WireMethod.allCases {
      messages.begin(method.spec)
      for field in method.spec.reply { try field.write(.random(field.type, &generator), into: &messages) }
      try messages.end()
      seeds.append((method, drained(&messages).dropLast()))
    }
    for error in RoundTripTests.errors {
      messages.fail(error)
      seeds.append((.get, drained(&messages).dropLast()))
    }
    var read = 0
    for round in 0..<10_000 {
      let (method, seed) = seeds[round % seeds.count]
      var inbox = try received(mutated(seed, seeds.map(\.1), &generator))
      guard try inbox.findMessage() else { continue }
      let parsed = try? inbox.withMutableMessage { message throws(CloseReason) in try method.spec.parseReply(&message) }
      guard case .reply(let layout) = parsed else { continue }
      let fields = layout.fields(in: inbox.message)
      for field in method.spec.reply where !field.isSecret { _ = fields.tree(field.field) }
      if method == .status { _ = WireStatus(fields) }
      read += 1
    }
    #expect(read > 100)
  }
}
