/// The rules of one flow as a total function: every event has an answer in every state.
///
/// A machine holds no passcode and does nothing. Its driver performs the effects and feeds their results back as events. Of the
/// effects of one transition, at most one has a result, and nothing follows it.
package protocol FlowMachine {
  /// Where the flow stands.
  associatedtype State: Hashable, Sendable
  /// What a person did, or what an effect resulted in.
  associatedtype Event: Hashable, Sendable
  /// What the driver has to do, in order.
  associatedtype Effect: Hashable, Sendable

  /// Where the flow begins.
  static var start: State { get }

  /// True where the flow is over: every event is refused with ``FlowRefusal/ended`` and the driver holds nothing.
  static func isEnd(_ state: State) -> Bool

  /// The answer to `event` in `state`.
  ///
  /// An event that does not fit leaves the state as it is, with a refusal as the only effect.
  static func next(_ state: State, _ event: Event) -> (State, [Effect])
}

/// Why a flow did not take a call. The flow stands where it stood; an input that came with the call is wiped.
public enum FlowRefusal: Error, Hashable, Sendable {
  /// The step does not take this: an answer where an entry is asked for, say, or a cancel while the store is being written.
  case notNow
  /// The flow is over.
  case ended
  /// The step can't be skipped: the app does not allow it.
  case mandatory
  /// There is no locked memory for the entry at the moment; the same call may go through later.
  case busy
}
