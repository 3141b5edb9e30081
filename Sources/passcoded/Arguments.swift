/// What the daemon is told on its command line.
struct Arguments {
  /// What it is to do.
  enum Action {
    case serve
    case help
    case version
    case validate(path: String, asAdministrator: Bool)
    case importBreachList(source: String, destination: String)
  }

  private(set) var action = Action.serve
  private(set) var store: String?
  private(set) var socket: String?
  private(set) var policy: String?
  private(set) var pinentry: String?

  /// Reads the arguments.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    var validated: String?
    var role: String?
    var list: String?
    var destination: String?
    while let argument = rest.popFirst() {
      // `--option=value` is `--option value`.
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw .missingValue(parts[0])
        }
        return value
      }
      switch parts[0] {
      case "--store": store = try value(&rest)
      case "--socket": socket = try value(&rest)
      case "--policy": policy = try value(&rest)
      case "--pinentry":
        let path = try value(&rest)
        guard path.hasPrefix("/") else { throw .relativePath(parts[0]) }
        pinentry = path
      case "--validate-policy": validated = try value(&rest)
      case "--as": role = try value(&rest)
      case "--import-breach-list": list = try value(&rest)
      case "--to": destination = try value(&rest)
      case "--version" where parts.count == 1: action = .version
      case "--help" where parts.count == 1, "-h" where parts.count == 1: action = .help
      default: throw .unknown(argument)
      }
    }
    guard role == nil || validated != nil && (role == "administrator" || role == "user") else { throw .unknownRole }
    guard (list == nil) == (destination == nil) else { throw .unknownDestination }
    if let list, let destination { action = .importBreachList(source: list, destination: destination) }
    if let validated { action = .validate(path: validated, asAdministrator: role == "administrator") }
  }

  /// What `--help` prints.
  static let help = """
    usage: passcoded [--store FILE] [--socket PATH] [--policy FILE]
                     [--pinentry PROGRAM]

    Keeps your passcode-protected credential store and serves it on a Unix socket.
    Runs in the foreground and logs to stderr; the command `passcode` starts it
    when it is needed.

      --store FILE    the store; else $PASSCODED_STORE, else
                      $XDG_DATA_HOME/passcoded/store.db
      --socket PATH   the socket; else $PASSCODED_SOCKET, else
                      $XDG_RUNTIME_DIR/passcoded/socket
      --policy FILE   stands in for $XDG_CONFIG_HOME/passcoded/policy.json;
                      /etc/passcoded/policy.json counts all the same

      --pinentry PROGRAM
                      asks for passcodes, by an absolute path; else
                      $PASSCODED_PINENTRY, else /usr/bin/pinentry or
                      /usr/local/bin/pinentry

      --validate-policy FILE [--as administrator]
                      looks through a policy file (- is stdin) and prints what
                      is wrong with it as JSON; exit 0 where nothing is, else 78
      --import-breach-list SOURCE --to FILE
                      makes an index of a list (- is stdin) for the policy's
                      breachList and prints how far it is as JSON, a line each;
                      exit 0, 64, 65, 66, 73 or 74
      --version       prints the version
      --help          prints this

    SIGTERM and SIGINT lock the store and end the daemon; SIGUSR1 locks it; SIGHUP
    has it read the policy files again.

    A service manager may hand over the socket (LISTEN_FDS) and be told how the
    daemon gets on (NOTIFY_SOCKET, WATCHDOG_USEC).

    Exit codes: 0 ended as asked, 64 usage, 66 no such policy file, 73 another
    daemon serves the socket, 74 the system said no, 77 the process can be looked
    into or a directory is not safe, 78 the socket or a path can't be used.

    """
}

/// What is wrong with the command line.
enum UsageError: Error, CustomStringConvertible {
  case unknown(String)
  case missingValue(String)
  case relativePath(String)
  case unknownRole
  case unknownDestination

  var description: String {
    switch self {
    case .unknown(let argument): "unknown argument '\(argument)'"
    case .missingValue(let option): "\(option) needs a value"
    case .relativePath(let option): "\(option) takes an absolute path"
    case .unknownRole: "--as goes with --validate-policy and is administrator or user"
    case .unknownDestination: "--import-breach-list and --to go together"
    }
  }
}
