public import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// The daemon's body: serves a store on a socket until it is asked to end.
public final class Daemon: Sendable {
  /// The release that this code is.
  public static let release = Release.version

  private let service: Service
  private let server: Server
  private let report: ManagerReport?

  /// A daemon that does not run yet. Reads the policy files; a faulty one is no error.
  ///
  /// - Parameter listener: where clients come in; it is the daemon's from here on.
  public convenience init(_ configuration: ServiceConfiguration, listener: UnixListener) {
    self.init(configuration, listener: listener, catalog: .standard) { $0 }
  }

  /// A daemon that serves more than ours.
  ///
  /// - Parameter extending: puts a handler of further interfaces before ours.
  init(
    _ configuration: ServiceConfiguration, listener: UnixListener, catalog: WireCatalog,
    extending: @escaping @Sendable (any CallHandler) -> any CallHandler
  ) {
    let service = Service(configuration)
    self.service = service
    report = ManagerReport(configuration.manager, log: configuration.log)
    server = Server(
      listener, catalog: catalog, configuration, service.connections, largeMessages: service.largeMessages
    ) { connection in
      extending(Session(service, catalog: catalog, connection))
    }
  }

  /// Serves until ``requestStop(_:)`` is called or a client asks for the end. When it returns, the store is locked, every key
  /// is wiped, and the socket is gone once the daemon is released.
  ///
  /// - Throws: `system` where there is no room for the daemon's own threads.
  public func run() throws(PlatformError) {
    let configuration = service.configuration
    if !LockedMemory.isLocked { service.log.note(.memoryNotLocked) }
    let isStarted = service.keeper.start({ [service] in service.lock($0) }) && startThread { [server] in server.run() }
    guard isStarted, report?.start(service, isAlive: { [server] in _ = server.connectionCount }) ?? true else {
      throw .system(.noThread)
    }
    service.log.note(
      .started(version: configuration.version, socket: configuration.socketPath, store: configuration.storePath))
    // Where there is no room for its thread, the timer locks.
    _ = service.loginWatch?.start { [service] event in service.obey(event) }
    // After the start: a client's first call need not wait for it, and a faulty file is told in the log.
    service.readPolicy()
    stop(waitForStopRequest())
  }

  /// Asks the daemon to end; returns at once.
  ///
  /// - Parameter cause: for the log.
  public func requestStop(_ cause: String) { service.requestStop(cause) }

  /// Reads the policy files again. Touches no counter and no lock.
  public func reloadPolicy() {
    report?.reloading()
    service.readPolicy()
    service.log.note(.policyRead)
    report?.ready()
  }

  /// Locks the store, for a screen locker that can only send a signal. Keys are wiped when it returns.
  public func lock() { service.lock(.signal) }

  /// How many connections are open.
  var connectionCount: Int { server.connectionCount }

  var prompts: Prompts { service.prompts }

  /// What was set aside long enough ago, and a quick unlock that is too old, are removed at the start and once an hour.
  private func waitForStopRequest() -> String {
    while true {
      service.removeExpired()
      if let cause = service.waitForStopRequest(within: .seconds(3600)) { return cause }
    }
  }

  private func stop(_ cause: String) {
    service.log.note(.stopping(cause))
    // Before anybody is told or waited for.
    service.lock(.stopping)
    report?.stopping()
    service.board.stop()
    // First who waits for a person, who would wait longer than the server does.
    service.prompts.stop()
    server.stop()
    service.keeper.stop()
    service.loginWatch?.stop()
    service.lock(.stopping)
    service.holder.close()
    service.log.note(.stopped)
  }
}
