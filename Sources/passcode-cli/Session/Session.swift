internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// One run of a verb: its connection to the daemon, and the ways to ask the person.
struct Session {
  let invocation: Invocation
  let client: PasscodeClient
  /// What the daemon said about itself and the store when this session began.
  let status: WireStatus
  private let given = GivenOnce()

  /// Connects, starting the daemon where that is allowed.
  ///
  /// - Parameter acceptsOtherStore: for verbs about the daemon, whichever store it serves.
  init(
    _ invocation: Invocation, autostarts: Bool = true, acceptsOtherStore: Bool = false
  ) throws(CommandError) {
    self.invocation = invocation
    var options = ClientOptions()
    options.socket = invocation.value(.socket)
    options.store = invocation.value(.store)
    options.autostarts = autostarts && !invocation.has(.noAutostart)
    options.acceptsOtherStore = acceptsOtherStore
    do {
      client = try PasscodeClient.connect(options)
      status = client.greeting
    } catch {
      throw CommandError(error)
    }
    if let difference = client.releaseDifference {
      Output.note("\(difference); run: passcode daemon restart", unless: invocation.isQuiet)
    }
    if case .otherStore(let socket, let wanted, let served)? = client.storeMismatch {
      Output.note("this is about the daemon at \(socket), which serves \(served) and not \(wanted)", unless: invocation.isQuiet)
    }
  }

  /// Calls the daemon.
  func call<R: ~Copyable>(_ body: (PasscodeClient) throws(ClientError) -> R) throws(CommandError) -> R {
    do { return try body(client) } catch { throw failure(error) }
  }

  /// What a failed call means to a person; where consent is missing, with the way to give it.
  func failure(_ error: ClientError) -> CommandError {
    guard case .daemon(.consentRequired(let forms)) = error else { return CommandError(error) }
    return explaining(CommandError(error), forms: forms)
  }

  func note(_ text: String) { Output.note(text, unless: invocation.isQuiet) }

  /// The person's terminal, or nil where there is none or nobody may be asked.
  func terminal() throws(CommandError) -> Dialogue? {
    guard invocation.allowsInput else { return nil }
    do {
      return try Dialogue()
    } catch .noTerminal {
      return nil
    } catch {
      throw CommandError(error)
    }
  }

  /// The current passcode from where the command line says; nil where it names no source.
  func givenPasscode() throws(CommandError) -> SecretBytes? { try given.passcode(invocation) }
}

/// The passcode of the command line, read once: a descriptor gives it only the first time.
private final class GivenOnce {
  private var passcode: SecretBytes?
  private var isRead = false

  func passcode(_ invocation: Invocation) throws(CommandError) -> SecretBytes? {
    if !isRead { passcode = try GivenPasscode.current(invocation) }
    isRead = true
    switch passcode {
    case .none: return nil
    case .some(let known):
      do { return try known.copy() } catch { throw CommandError(PlatformError.secretMemory(error)) }
    }
  }
}
