internal import ConsentCore
internal import Glibc
package import PasscodePlatform

/// One kind of run of a renderer: started, given a paper, heard to the end of its output, waited for.
package struct RendererProcess: Sendable {
  /// The largest PDF, in bytes, and the most words of an error.
  static let outputLimit = 64 << 20, wordsLimit = 16 << 10

  private let executable: String
  private let arguments: [String]
  private let environment: [String]
  private let limit: Duration

  package init(_ executable: String, arguments: [String], environment: [String], limit: Duration) {
    (self.executable, self.arguments, self.environment, self.limit) = (executable, arguments, environment, limit)
  }

  /// Waits on a thread of its own: those of Swift concurrency are few.
  func pdf(of paper: ConsentPaper) async throws(RendererFault) -> [UInt8] {
    let result: Result<[UInt8], RendererFault> = await withCheckedContinuation { continuation in
      let hasStarted = startThread(stackBytes: 256 << 10) {
        continuation.resume(returning: Result { () throws(RendererFault) in try run(paper) })
      }
      if !hasStarted {
        continuation.resume(returning: .failure(.platform(.system(SyscallError("pthread_create", EAGAIN)))))
      }
    }
    return try result.get()
  }

  private func run(_ paper: ConsentPaper) throws(RendererFault) -> [UInt8] {
    let json = paper.json
    if json.count > ConsentPaper.maximumByteCount { throw .tooLarge(limit: ConsentPaper.maximumByteCount) }
    let ended: (heard: RendererWords, status: ExitStatus)
    do throws(PlatformError) { ended = try run(json) } catch {
      if case .timedOut = error { throw .timedOut }
      if case .tooLong(let limit) = error { throw .tooLarge(limit: limit) }
      throw .platform(error)
    }
    switch ended.status {
    case .exited(0): return ended.heard.output
    case .exited(65), .exited(66): throw .refused(ended.heard.words)
    case .exited(let code): throw .failed(code: code, words: ended.heard.words)
    case .signalled(let signal): throw .failed(code: -signal, words: ended.heard.words)
    }
  }

  /// Runs it on this calling thread.
  ///
  /// - Throws: `timedOut`, with everything that it has started ended; `tooLong` for a PDF over the limit; `system`.
  package func run(_ json: [UInt8]) throws(PlatformError) -> (heard: RendererWords, status: ExitStatus) {
    let deadline = Deadline(limit)
    // A renderer that reads nothing holds nothing up.
    let input = try MemoryFile.holding(json.span)
    var child = try Spawn.child(executable, arguments: arguments, environment: environment, reading: input.raw)
    child.closeInput()
    do throws(PlatformError) {
      let heard = try RendererWords(child.output, child.error, until: deadline)
      guard let status = try child.wait(within: deadline.remaining) else { throw .timedOut }
      return (heard, status)
    } catch {
      // With what it has started: it leads a group of its own, and nobody has waited for it yet.
      kill(-child.pid, SIGKILL)
      throw error
    }
  }
}

/// What a renderer wrote until it closed both of its outputs.
package struct RendererWords {
  package private(set) var output: [UInt8] = []
  private var error: [UInt8] = []

  /// The error output as text that steers no terminal, without the line feed at its end.
  package var words: String {
    var text = String(decoding: error, as: UTF8.self)
    while text.last == "\n" { text.removeLast() }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { Self.isHarmless($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar == "\n"
    default: true
    }
  }

  /// - Throws: `timedOut`; `tooLong` for a PDF over the limit; `system`. Words over their limit are left out.
  fileprivate init(
    _ outputEnd: borrowing FileDescriptor, _ errorEnd: borrowing FileDescriptor, until deadline: Deadline
  ) throws(PlatformError) {
    var open = [outputEnd.raw, errorEnd.raw]
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while !open.isEmpty {
      var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let milliseconds = deadline.remaining.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? -1
      if deadline.isOver { throw .timedOut }
      let result = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
      if result < 0, errno != EINTR { throw .system(SyscallError("poll", errno)) }
      for entry in entries where result > 0 && entry.revents != 0 {
        let count = unsafe read(entry.fd, &chunk, chunk.count)
        if count < 0, errno != EINTR { throw .system(SyscallError("read", errno)) }
        if count == 0 { open.removeAll { $0 == entry.fd } }
        if count > 0 { try take(chunk[..<count], isOutput: entry.fd == outputEnd.raw) }
      }
    }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, isOutput: Bool) throws(PlatformError) {
    if isOutput {
      guard output.count + bytes.count <= RendererProcess.outputLimit else {
        throw .tooLong(limit: RendererProcess.outputLimit)
      }
      output += bytes
    } else {
      error += bytes.prefix(RendererProcess.wordsLimit - error.count)
    }
  }
}
