internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory
internal import StrictJSON

/// A faulty record in a file beside the store: every row as it was found. See `FaultyConsentRecord` for the layout.
///
/// The file's name ends with the digest of what is in it: the same record always becomes the same file.
enum ConsentEvidence {
  /// Writes what lies in the store into the file; on disk when it returns.
  ///
  /// - Throws: `store`; `journal` where the disk does not take it.
  static func keep(_ store: CredentialStore, fault: String) throws(ConsentRefused) -> (path: String, sha256: Digest) {
    let sha256 = try written(store, fault, into: nil)
    let path = "\(store.path).consent-faulty-\(sha256.hex)"
    let file: AtomicFile
    do throws(PlatformError) { file = try AtomicFile(replacing: path) } catch { throw .journal(error) }
    guard try written(store, fault, into: file) == sha256 else { throw .store(.busy) }
    return (path, sha256)
  }

  /// - Parameter file: nil only sums up.
  /// - Returns: the digest of all that was written.
  private static func written(
    _ store: CredentialStore, _ fault: String, into file: consuming AtomicFile?
  ) throws(ConsentRefused) -> Digest {
    var json = JSONWriter(EvidenceSink(file))
    json.beginObject()
    json.text("faulty", fault)
    var part = Part.log
    do throws(StoreError) {
      try store.eachConsentRow { row throws(StoreError) in write(row, to: &json, &part) }
    } catch { throw .store(error) }
    while part != .texts { next(&json, &part) }
    json.endArray()
    json.endObject()
    let sink = json.finish()
    do throws(PlatformError) { return try sink.finish() } catch { throw .journal(error) }
  }

  /// What is being written: the log's own row, then the list of entries, then that of texts.
  private enum Part { case log, entries, texts }

  private static func next(_ json: inout JSONWriter<EvidenceSink>, _ part: inout Part) {
    if part == .entries { json.endArray() }
    json.key(part == .log ? "entries" : "texts")
    json.beginArray()
    part = part == .log ? .entries : .texts
  }

  private static func write(_ row: RawConsentRow, to json: inout JSONWriter<EvidenceSink>, _ part: inout Part) {
    switch row {
    case .log(let head): write(head, to: &json)
    case .entry(let sequence, let bytes):
      if part == .log { next(&json, &part) }
      json.beginObject()
      json.key("sequence")
      json.integer(sequence)
      if let text = String(validating: bytes, as: UTF8.self) {
        json.text("entry", text)
      } else {
        json.text("bytes", Base64Text.encode(bytes))
      }
      json.endObject()
    case .text(let digest, let bytes):
      while part != .texts { next(&json, &part) }
      json.beginObject()
      json.text("digest", hex(digest))
      json.text("bytes", Base64Text.encode(bytes))
      json.endObject()
    }
  }

  private static func write(_ head: RawConsentHead, to json: inout JSONWriter<EvidenceSink>) {
    json.key("log")
    json.beginObject()
    json.text("log", hex(head.log))
    json.key("deposited")
    json.integer(head.deposited)
    json.key("signed")
    json.integer(head.signed)
    json.text("digest", hex(head.digest))
    json.text("signature", Base64Text.encode(head.signature))
    json.text("publicKey", Base64Text.encode(head.publicKey))
    json.text("sealedSeed", Base64Text.encode(head.sealedSeed))
    json.endObject()
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { (String($0 >> 4, radix: 16)) + String($0 & 15, radix: 16) }.joined()
  }
}

extension JSONWriter where Sink == EvidenceSink {
  fileprivate mutating func text(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }
}

/// Sums up what is written, and writes it into a file where there is one. The first fault of the disk is kept until the end.
struct EvidenceSink: JSONSink, ~Copyable {
  private static let pieceCount = 64 << 10

  private var file: AtomicFile?
  private var sum = RunningSHA256()
  private var piece: [UInt8] = []
  private var fault: PlatformError?

  init(_ file: consuming AtomicFile?) {
    self.file = file
  }

  mutating func append(_ byte: UInt8) {
    piece.append(byte)
    if piece.count >= Self.pieceCount { flush() }
  }

  mutating func append(contentsOf bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  private mutating func flush() {
    let bytes = piece
    sum.add(bytes.span)
    do throws(PlatformError) { if fault == nil { try file?.write(bytes.span) } } catch { fault = error }
    piece = []
  }

  /// Brings the file to disk.
  ///
  /// - Returns: the digest of all of it.
  consuming func finish() throws(PlatformError) -> Digest {
    flush()
    if let fault { throw fault }
    if let file = file.take() { try file.commit() }
    return sum.digest
  }
}
