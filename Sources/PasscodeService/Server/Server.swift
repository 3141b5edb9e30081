internal import PasscodePlatform
internal import PasscodeWire

/// Takes connections on a socket and gives each a thread.
final class Server: Sendable {
  private let listener: UnixListener
  private let owner: UInt32
  private let catalog: WireCatalog
  private let limits: ServiceLimits
  private let log: ServiceLog
  private let logBudget: LogBudget
  private let table: ConnectionTable
  private let largeMessages: Places
  private let replies: Places
  private let makeHandler: @Sendable (Connection) -> any CallHandler

  /// - Parameters:
  ///   - configuration: whose connections are taken, the limits and the log.
  ///   - table: of the connections, shared with who locks the store.
  ///   - largeMessages: shared with those who write large replies.
  ///   - makeHandler: called for each connection, on its thread.
  init(
    _ listener: UnixListener, catalog: WireCatalog, _ configuration: ServiceConfiguration, _ table: ConnectionTable,
    largeMessages: Places,
    makeHandler: @escaping @Sendable (Connection) -> any CallHandler
  ) {
    self.listener = listener
    owner = configuration.account.uid
    limits = configuration.limits
    log = configuration.log
    logBudget = LogBudget(clock: configuration.clock)
    self.catalog = catalog
    self.makeHandler = makeHandler
    self.table = table
    self.largeMessages = largeMessages
    replies = Places(limit: limits.replies, of: .reply, in: table)
  }

  /// How many connections are served now.
  var connectionCount: Int { table.count }

  /// Takes connections until ``stop()``.
  func run() {
    while true {
      do throws(PlatformError) {
        guard let peer = try listener.accept() else { return }
        admit(peer)
      } catch {
        // Out of descriptors or memory: the connection waits until another one ends.
        log.note(.acceptFault("\(error)"), within: logBudget)
        table.makeRoom(within: .seconds(1))
      }
    }
  }

  /// Takes no more connections and ends those that there are; their running calls are answered if that does not take too long.
  func stop() {
    listener.stop()
    table.stop(within: limits.stopping)
  }

  /// Starts to serve a connection of this user; nothing of any other's is read.
  private func admit(_ peer: consuming UnixConnection) {
    guard let credentials = try? peer.peerCredentials() else { return }
    guard credentials.uid == owner else { return log.note(.foreignPeer(uid: credentials.uid), within: logBudget) }
    let connection = Connection(peer, of: credentials)
    guard table.add(connection) else { return refuse(connection) }
    let isStarted = startThread { [self] in
      serve(connection)
      table.remove(connection)
    }
    if !isStarted {
      refuse(connection)
      table.remove(connection)
    }
  }

  private func serve(_ connection: Connection) {
    let server = ConnectionServer(
      connection: connection, catalog: catalog, limits: limits, table: table, largeMessages: largeMessages, replies: replies,
      note: { [log, logBudget] event in log.note(event, within: logBudget) },
      returnsBuffers: { [table, limits] in table.count > limits.keptBuffers })
    server.run(makeHandler(connection))
    connection.abort()
  }

  private func refuse(_ connection: Connection) {
    log.note(.tooManyConnections(limit: limits.connections), within: logBudget)
    BusyReply.send(to: connection.peer)
  }
}
