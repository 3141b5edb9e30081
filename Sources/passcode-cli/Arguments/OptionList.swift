/// Every option there is. A verb names those that it takes.
extension Option {
  // MARK: - Everywhere

  static let socket = value("socket", "PATH", "the daemon's socket", completion: .file)
  static let store = value("store", "FILE", "the store's file", completion: .file)
  static let json = flag("json", "data as one JSON document on stdout, an error as one on stderr")
  static let noInput = flag("no-input", "never ask anything: what would need an answer ends with exit 75")
  static let noAutostart = flag("no-autostart", "do not start the daemon where none is running")
  static let quiet = flag("quiet", "no notes on stderr, only errors", short: "q")
  static let help = flag("help", "show this help", short: "h")
  static let version = flag("version", "show the version")

  static let everywhere = [socket, store, json, noInput, noAutostart, quiet, help]

  // MARK: - Where a passcode comes from

  static let passcodeFD = value("passcode-fd", "N", "read the passcode from this open descriptor")
  static let passcodeFile = value(
    "passcode-file", "FILE", "read the passcode from a file of yours that others can't read (- is stdin)", completion: .file)
  static let newPasscodeFD = value("new-passcode-fd", "N", "read the new passcode from this open descriptor")
  static let newPasscodeFile = value(
    "new-passcode-file", "FILE", "read the new passcode from a file, as --passcode-file does", completion: .file)

  static let recoveryKeyFD = value("recovery-key-fd", "N", "read the recovery key from this open descriptor")
  static let recoveryKeyFile = value(
    "recovery-key-file", "FILE", "read the recovery key from a file, as --passcode-file does", completion: .file)

  static let current = [passcodeFD, passcodeFile]
  static let new = [newPasscodeFD, newPasscodeFile]

  // MARK: - Passcode verbs

  static let quickUnlock = flag("quick-unlock", "turn quick unlock on, where this machine has it")
  static let noQuickUnlock = flag("no-quick-unlock", "leave quick unlock off, and do not ask")
  static let acceptWipe = flag(
    "accept-wipe", "agree that too many wrong passcodes erase the store, where your own policy asks for that")
  static let acceptOlder = flag(
    "accept-older", "open a store that is older than the one last seen, and go on from there")
  static let quick = flag("quick", "by quick unlock or not at all")
  static let noQuick = flag("no-quick", "ask for the passcode even where quick unlock is on")
  static let confirm = value("confirm", "STORE-ID", "the store's id, as status shows it: against a slip")
  static let list = flag("list", "show the stores that were set aside")
  static let undo = value("undo", "ID", "bring back a store that was set aside")
  static let erase = flag("erase", "erase the store at once, beyond recovery")
  static let preset = value(
    "preset", "NAME", "show a preset instead",
    completion: .words(["default", "nist-800-63b", "sap-mobile-services", "pin-6"]))
  static let asRole = value(
    "as", "ROLE", "whose file it is to be: user (the default) or administrator", completion: .words(["user", "administrator"]))

  static let to = value("to", "FILE", "where the index goes; an older one gives way", completion: .file)

  // MARK: - Credential verbs

  static let attributes = value("attr", "K=V", "an attribute; can be given again", repeats: true)
  static let attribute = value("attr", "K", "print this attribute in place of the secret")
  static let type = value("type", "MIME", "the media type of the secret, such as application/json")
  static let noReplace = flag("no-replace", "refuse (exit 73) where the name is taken")
  static let replace = flag("replace", "where the new name is taken, its credential gives way, as if deleted")
  static let trimNewline = flag("trim-newline", "leave out one newline at the end of stdin")
  static let multiline = flag("multiline", "on a terminal: several lines, ended by Ctrl-D")
  static let secretVersion = value("version", "N", "an earlier value, as history numbers it")
  static let restore = value("restore", "N", "store this earlier value again as the newest")
  static let purge = flag("purge", "keep no value, nor any earlier one: this can't be undone")

  // MARK: - Consent verbs

  static let exact = flag("exact", "print the exact text alone, byte for byte: its SHA-256 is what an answer names")
  static let locale = value("locale", "L", "in this language, such as de or pt-BR")
  static let formVersion = value("version", "V", "the version that was read, as show prints it")
  static let sha256 = value("sha256", "H", "SHA-256 of the exact text that was read, as show prints it")
  static let answered = [formVersion, sha256]

  static let role = value("role", "R", "who signs, as the document names the role")
  static let givenName = value("given-name", "G", "the signer's given name")
  static let familyName = value("family-name", "F", "the signer's family name")
  static let familyFirst = flag("family-first", "the family name comes first; without it, the names tell")
  static let image = value("image", "PNG", "a drawn signature", completion: .file)
  static let fields = value("field", "K=V", "an answer to a field of the signature; can be given again", repeats: true)
  static let signature = [givenName, familyName, familyFirst, image, fields]
  static let sharing = value(
    "sharing", "WITH", "with whom data is shared, where the form asks: widely or narrowly",
    completion: .words(["widely", "narrowly"]))

  static let entry = value("entry", "N", "this entry, as history numbers it; without it, the latest")
  static let pdf = value("pdf", "FILE", "into this file as a PDF (- is stdout)", completion: .file)
  static let html = value("html", "FILE", "into this file as HTML (- is stdout)", completion: .file)
  static let layout = value("layout", "FILE", "a theme: fonts, colours and pages", completion: .file)
  static let renderer = value("renderer", "PROGRAM", "the program that makes the PDF of the JSON", completion: .file)
  static let paper = [layout, renderer, force]
  static let force = flag("force", "replace the file where there is one")

  // MARK: - The whole store

  /// What `doctor --store` is, written without a file.
  static let wholeStore = flag("whole store", "look at every value in the store, too")
  static let storeOrWhole = {
    var option = value(
      "store", "[FILE]", "without FILE: look at every value in the unlocked store; with it: the store's file", completion: .file
    )
    option.bare = wholeStore.long
    return option
  }()
  static let salvage = flag("salvage", "take out of a damaged store what is whole, and say what is not")
  static let replaceFile = flag("replace", "replace the file where there is one")
  static let replaceExisting = flag("replace", "give credentials that exist the new value; the earlier one is kept")
  static let skipExisting = flag("skip-existing", "leave credentials that exist as they are")

  // MARK: - The rest

  static let man = flag("man", "print the whole manual as a man page (roff)")
}
