internal import PasscodeKeyring
public import PasscodePlatform
public import PasscodeStore
internal import PasscodeWire

/// Everything that a service is told from outside: no path and no clock is looked up further in.
public struct ServiceConfiguration: Sendable {
  /// The two policy files.
  public struct PolicyPaths: Sendable {
    /// A floor: `/etc/passcoded/policy.json` in the program.
    public var administrator: String
    /// The user's, or the one that stands in for it.
    public var user: String

    /// The paths of two files, which may be missing.
    public init(administrator: String, user: String) {
      self.administrator = administrator
      self.user = user
    }
  }

  /// The two folders of consent forms.
  public struct ConsentFolders: Sendable {
    /// `/etc/passcoded/consent` in the program.
    public var administrator: String
    /// The user's, whose forms gate the creation of a store and nothing else.
    public var user: String

    /// The paths of two folders, which may be missing.
    public init(administrator: String, user: String) {
      self.administrator = administrator
      self.user = user
    }
  }

  /// The store's file.
  public var storePath: String
  /// Where the client finds the daemon, for `Status`.
  public var socketPath: String
  /// The policy files.
  public var policies: PolicyPaths
  /// The folders of consent forms: `consent` beside each policy file, unless told otherwise.
  public var consentFolders: ConsentFolders
  /// What reads them.
  public var consentHelper = ConsentHelper()
  /// How the store is opened: its clock, its device key.
  public var storeOptions: StoreOptions
  /// Where it is kept that a store may be wiped.
  public var wipeAcceptancePath: String
  /// Where it is kept for which stores the OS keyring may hold a key.
  public var keptKeysPath: String
  /// What the user's account tells, for the validator `notPersonal`.
  public var account: AccountFacts
  /// The release that the daemon says it is.
  public var version = Release.version
  /// Where a person reads on about the service, as `GetInfo` tells it: a URL, or nothing.
  public var documents = ""
  /// The absolute path of the pinentry that asks; nil is the first of the usual ones that is there.
  public var pinentry: String?
  /// The daemon's own variables, for prompts of clients that say nothing of where their person sits.
  public var environment = ProcessEnvironment([:])
  /// The limits on clients.
  public var limits = ServiceLimits()
  /// The clocks that locking goes by.
  public var clock = ServiceClock.system
  /// How quick unlock gets into a store, by whether the passcode is asked for after each start of the machine.
  var makeQuickUnlockMethod: @Sendable (_ passcodeAfterReboot: Bool) -> any QuickUnlockMethod = {
    KeyringMethod(passcodeAfterReboot: $0)
  }
  /// How login sessions and the machine's sleep are heard of; nil: not at all.
  public var loginHelper: LoginHelper?
  /// Who wants to be told how the daemon gets on.
  public var manager: ServiceManager?
  /// Where events go.
  public var log = ServiceLog.standardError

  /// A configuration with the daemon's limits, clocks and log.
  ///
  /// - Parameter stateDirectory: for what lies outside of the store.
  public init(
    storePath: String, socketPath: String, policies: PolicyPaths, stateDirectory: String, account: AccountFacts
  ) {
    self.storePath = storePath
    self.socketPath = socketPath
    self.policies = policies
    consentFolders = ConsentFolders(
      administrator: PathParts.split(policies.administrator).directory + "/consent",
      user: PathParts.split(policies.user).directory + "/consent")
    storeOptions = StoreOptions(deviceKeyPath: stateDirectory + "/device-key", anchorDirectory: stateDirectory)
    wipeAcceptancePath = stateDirectory + "/wipe-accepted"
    keptKeysPath = stateDirectory + "/keyring-keys"
    self.account = account
  }
}
