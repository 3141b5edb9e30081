internal import ConsentCore
internal import PasscodePlatform
internal import PasscodeWire

/// The forms in force, read anew where something in their folders has changed.
///
/// A faulty file leaves its last good version in force, as far as the daemon has seen one.
final class ConsentForms: Sendable {
  /// The forms as they were last read.
  struct InForce: Sendable {
    /// The forms, in the order in which they are asked.
    var set: ConsentFormSet
    /// What decisions need of them.
    var facts: [ConsentFormID: ConsentFormFacts] = [:]
    /// What is wrong with files.
    var faults: [WireFormFault] = []
    /// What of the administrator's folder is wrong, so that not all that he asks for is known.
    var administratorFault: WireFormFault?

    static let none = InForce(set: ConsentFormSet.empty)
  }

  private struct Folder {
    var stamp: [String]?
    /// When a folder that could not be read is read again, in nanoseconds since boot; nil where it was read.
    var retriesAt: UInt64?
    /// By file.
    var forms: [String: ConsentForm] = [:]
    var faults: [WireFormFault] = []
  }

  private struct State {
    var administrator = Folder()
    var user = Folder()
  }

  private let folders: ServiceConfiguration.ConsentFolders
  private let helper: ConsentHelper
  private let log: ServiceLog
  /// Held while a folder is read: a helper at a time.
  private let state = Monitor(State())
  /// Nil until everything has been read once: that is waited for.
  private let isReading = Monitor<Bool?>(nil)
  private let inForce = Monitor(InForce.none)

  init(_ configuration: ServiceConfiguration) {
    folders = configuration.consentFolders
    helper = configuration.consentHelper
    log = configuration.log
  }

  /// The forms as they were last read.
  var current: InForce { inForce.withLock { $0 } }

  /// Looks whether something has changed, and reads it then.
  ///
  /// - Parameter waits: for somebody else who is reading; false goes by what was known before.
  /// - Returns: whether something has.
  func refresh(waits: Bool = true) -> Bool {
    if !waits, isReading.withLock({ $0 == true }) { return false }
    return state.withLock { state in
      if !isDue(state.administrator, folders.administrator), !isDue(state.user, folders.user) { return false }
      isReading.withLock { if $0 != nil { $0 = true } }
      defer { isReading.withLock { $0 = false } }
      // Texts are nested more deeply than the stack of a connection's thread is made for.
      return onLargeStack { refresh(&state) } ?? false
    }
  }

  private func isDue(_ folder: Folder, _ path: String) -> Bool {
    if let retriesAt = folder.retriesAt, BootClock.now() >= retriesAt { return true }
    return Self.stamp(of: path) != folder.stamp ?? []
  }

  private func refresh(_ state: inout State) -> Bool {
    let first = read(folders.administrator, .administrator, &state.administrator)
    let second = read(folders.user, .user, &state.user)
    guard first || second else { return false }
    let forms = assembled(state)
    inForce.withLock { $0 = forms }
    for fault in forms.faults { log.note(.consentFault(fault.words)) }
    return true
  }

  private func read(_ path: String, _ origin: ConsentOrigin, _ folder: inout Folder) -> Bool {
    if !isDue(folder, path) { return false }
    let stamp = Self.stamp(of: path)
    folder.stamp = stamp
    folder.retriesAt = nil
    guard !stamp.isEmpty else {
      folder = Folder(stamp: stamp)
      return true
    }
    let catalog: ConsentCatalog
    do throws(ConsentHelperFault) { catalog = try helper.read(path, origin) } catch {
      folder.faults = [WireFormFault(path: path, line: nil, column: nil, message: error.words)]
      folder.retriesAt = BootClock.now() + 30_000_000_000
      return true
    }
    let faulty = Set(catalog.faults.map(\.file))
    let taken = Set(catalog.forms.map(\.id))
    let kept = folder.forms.filter { faulty.contains($0.key) && !taken.contains($0.value.id) }
    folder.forms = Dictionary(uniqueKeysWithValues: catalog.entries.map { ($0.file, $0.form) }).merging(kept) { $1 }
    folder.faults = catalog.faults.map { fault in
      WireFormFault(path: "\(path)/\(fault.file)", line: fault.line, column: fault.column, message: fault.words)
    }
    return true
  }

  private func assembled(_ state: State) -> InForce {
    var forms = InForce.none
    forms.faults = state.administrator.faults + state.user.faults
    forms.administratorFault = state.administrator.faults.first
    let (administrator, user) = (Array(state.administrator.forms.values), Array(state.user.forms.values))
    // No folder has an id twice: the helper refuses that, and what is kept gives way.
    forms.set = (try? ConsentFormSet(administrator: administrator, user: user)) ?? .empty
    forms.facts = Dictionary(uniqueKeysWithValues: forms.set.forms.map { ($0.id, $0.facts) })
    return forms
  }

  /// What tells one state of a folder from another; nothing where there is none.
  private static func stamp(of folder: String) -> [String] {
    guard let own = (try? Files.status(of: folder)) ?? nil else { return [] }
    let names = (try? Files.names(in: folder, limit: .max)) ?? []
    return [text(of: own, "")]
      + names.map { name in
        guard let status = (try? Files.status(of: folder + "/" + name)) ?? nil else { return name }
        return text(of: status, name)
      }
  }

  private static func text(of status: FileStatus, _ name: String) -> String {
    "\(name) \(status.device) \(status.inode) \(status.size) \(status.changed) \(status.mode) \(status.owner)"
  }
}

extension WireFormFault {
  /// On one line.
  var words: String { "\(path)\(line.map { ":\($0)" } ?? "")\(column.map { ":\($0)" } ?? ""): \(message)" }
}

extension ConsentFileFault {
  /// What is wrong, without the place.
  var words: String { message + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "") }
}
