internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import PasscodeValidators

/// Hands each new receipt to the administrator's executable, one after the other, until it takes it: it reads the receipt (JSON)
/// from its standard input and ends with 0. What it does not take is offered again at the next entry, the next unlock, and once
/// an hour.
final class ConsentDeposits: Sendable {
  private struct State {
    var isRunning = false
    var isAskedAgain = false
  }

  /// How long the executable may take for a receipt.
  private static let limit = Duration.seconds(30)

  private let records: ConsentRecords
  private let log: ServiceLog
  private let state = Monitor(State())

  init(_ records: ConsentRecords, log: ServiceLog) {
    self.records = records
    self.log = log
  }

  /// Hands on what waits, on a thread of its own.
  ///
  /// - Parameter command: the executable; nil hands nothing on.
  func start(_ command: String?) {
    guard let command else { return }
    let isMine = state.withLock { state in
      state.isAskedAgain = state.isRunning
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isMine else { return }
    let isStarted = startThread { [self] in
      repeat { handOn(to: command) } while goesOn()
    }
    if !isStarted { state.withLock { $0 = State() } }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isRunning = state.isAskedAgain
      defer { state.isAskedAgain = false }
      return state.isAskedAgain
    }
  }

  private func handOn(to command: String) {
    let reading = records.read()
    guard case .success(let log) = reading.checked, reading.depositedCount < log.signedCount else { return }
    if let obstacle = TrustedProgram.obstacle(to: command) { return self.log.note(.depositFault(obstacle)) }
    for sequence in max(0, reading.depositedCount) + 1...log.signedCount {
      guard
        let receipt = ConsentReceipt(of: sequence, in: reading.log, verified: log, anchor: reading.anchor)
      else { return }
      if let fault = deposit(receipt, command) { return self.log.note(.depositFault("receipt \(sequence): \(fault)")) }
      do throws(StoreError) { try records.noteDeposited(sequence) } catch { return }
    }
  }

  private func deposit(_ receipt: ConsentReceipt, _ command: String) -> String? {
    do throws(PlatformError) {
      let answer = try Spawn.output(of: command, to: receipt.json.span, limit: 64 << 10, within: Self.limit)
      switch answer.status {
      case .exited(0): return nil
      case .exited(let code): return "\(command) ended with \(code)"
      case .signalled(let signal): return "\(command) was ended by signal \(signal)"
      }
    } catch { return "\(command): \(error)" }
  }
}
