internal import CLinux
internal import Glibc

/// The keys of a terminal in raw mode, for as long as ``Terminal/withKeys(_:)`` lends it.
public struct KeyReader: ~Copyable {
  private let descriptor: Int32
  private var parser = KeyParser()
  private var resumptions = clinux_terminal_resumptions()

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for the next key.
  ///
  /// - Throws: `disconnected` when the terminal is gone; `system` with read(2)'s errno.
  public mutating func next() throws(PlatformError) -> Key {
    while true {
      let now = clinux_terminal_resumptions()
      if now != resumptions {
        resumptions = now
        return .resumed
      }
      // A key's further bytes come at once; a person's Escape comes alone.
      if parser.isInSequence, clinux_wait_readable(descriptor, 100) == 0, let key = parser.flush() { return key }
      var byte: UInt8 = 0
      // One byte at a time: no buffer holds a passcode, and what follows it stays for the next reader.
      let count = unsafe read(descriptor, &byte, 1)
      if count == 1 {
        if let key = parser.feed(byte) { return key }
      } else if count == 0 || errno == EIO {
        throw .disconnected
      } else if errno != EINTR {
        throw .system(SyscallError("read", errno))
      }
    }
  }

  /// Whether more was typed or pasted already: a redraw can wait.
  public var hasPendingInput: Bool { clinux_wait_readable(descriptor, 0) == 1 }

  /// Stops the program as Ctrl-Z does everywhere; returns when it goes on. The next key is ``Key/resumed`` then.
  public func suspend() { clinux_suspend() }
}
