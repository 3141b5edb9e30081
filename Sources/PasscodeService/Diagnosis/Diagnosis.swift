internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodePrompts
internal import PasscodeWire
internal import SecretMemory

/// A look at everything that the daemon leans on, in plain words.
struct Diagnosis {
  private let service: Service

  init(_ service: Service) { self.service = service }

  /// What was looked at. The keyring's turn takes up to three seconds.
  var findings: [WireFinding] {
    let surroundings = [memory, SwapSpace.current().finding, isolation, sessions, keyring, pinentry, manager]
    return [store, policy] + ConsentDiagnosis(service).findings + surroundings
  }

  private var store: WireFinding {
    switch service.situation {
    case .absent: WireFinding("store", .note, "there is no store", remedy: "passcode create")
    case .unusable(let error):
      WireFinding("store", .bad, "\(service.configuration.storePath) can't be used: \(StoreFaultWords.text(error))")
    case .mustChange: WireFinding("store", .note, "the passcode has to be changed", remedy: "passcode change")
    case .locked: WireFinding("store", .good, "\(service.configuration.storePath), locked")
    case .unlocked: WireFinding("store", .good, "\(service.configuration.storePath), unlocked")
    }
  }

  private var policy: WireFinding {
    let files = service.readPolicy().files.map(WirePolicyFile.init)
    guard let faulty = files.first(where: { $0.state == .faulty }) else {
      let known = files.filter { $0.state == .inForce }.map(\.path)
      return WireFinding("policy", .good, known.isEmpty ? "the default, no file changes it" : known.joined(separator: ", "))
    }
    let remedy = "passcode policy validate \(faulty.path)" + (faulty.role == .administrator ? " --as administrator" : "")
    return WireFinding("policy", .bad, "\(faulty.path) is faulty: \(faulty.fault ?? "unreadable")", remedy: remedy)
  }

  private var memory: WireFinding {
    LockedMemory.isLocked
      ? WireFinding("memory", .good, "secrets and keys are in locked memory")
      : WireFinding(
        "memory", .bad, "the system does not let the daemon lock its memory: secrets could reach the swap space",
        remedy: "allow 8 MiB: LimitMEMLOCK= of the unit, or memlock in /etc/security/limits.conf (ulimit -l says 8192 or more)")
  }

  /// Whether other programs are kept out of the process, and it out of the system.
  private var isolation: WireFinding {
    guard !ProcessHardening.isDumpable else {
      return WireFinding(
        "isolation", .bad, "other programs of yours can read the daemon's memory", remedy: "passcode daemon restart")
    }
    return ProcessHardening.isFiltered
      ? WireFinding("isolation", .good, "no program of yours reads the daemon's memory; it runs under a system-call filter")
      : WireFinding(
        "isolation", .note, "no program of yours reads the daemon's memory; it runs without a system-call filter",
        remedy: "run it as a unit of systemd: systemctl --user enable --now passcoded.socket")
  }

  private var sessions: WireFinding {
    guard let watch = service.loginWatch else { return WireFinding("sessions", .note, "not listened to") }
    let condition = watch.condition
    let text = condition.words
    switch condition {
    case .watching: return WireFinding("sessions", .good, text)
    case .starting: return WireFinding("sessions", .note, text, remedy: "ask again in some seconds")
    case .deaf(.noHelper): return WireFinding("sessions", .bad, text, remedy: "install the whole of passcoded: scripts/install")
    case .deaf(.noBus), .deaf(.noLogind), .deaf(.lost), .deaf(.silent), .deaf(.system):
      return WireFinding(
        "sessions", .note, text, remedy: "have your screen locker run: passcode lock (or send SIGUSR1 to passcoded)")
    }
  }

  private var keyring: WireFinding {
    switch service.quickUnlock.availability {
    case .available: WireFinding("keyring", .good, "the OS keyring works: quick unlock can be used")
    case .unavailable(.forbiddenByPolicy): WireFinding("keyring", .good, "not used: the policy does not allow quick unlock")
    case .unavailable(let obstacle):
      WireFinding(
        "keyring", .note, obstacle.text.prefix(1).lowercased() + obstacle.text.dropFirst(),
        remedy: "unlock by passcode; for quick unlock, an unlocked keyring such as gnome-keyring has to run in your session")
    }
  }

  private var pinentry: WireFinding {
    do {
      return WireFinding("pinentry", .good, try service.prompts.pinentry.program)
    } catch .unsafeProgram(let path, let fault) {
      return WireFinding(
        "pinentry", .bad, "\(path) is not run: \(fault)",
        remedy: "name an executable file of root's or yours that nobody else may write to: --pinentry or PASSCODED_PINENTRY")
    } catch {
      return WireFinding(
        "pinentry", .note, "there is none: programs without a terminal can't ask for your passcode",
        remedy: "install one, such as pinentry-gnome3, pinentry-qt or pinentry-curses")
    }
  }

  private var manager: WireFinding {
    service.configuration.manager == nil
      ? WireFinding("manager", .note, "a command or a person started the daemon, no service manager watches it")
      : WireFinding("manager", .good, "a service manager runs the daemon and watches it")
  }
}
