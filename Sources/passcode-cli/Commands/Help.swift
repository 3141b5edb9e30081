internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let completions = Verb(
    path: ["completions"], topic: .rest, summary: "Print the completion script for a shell",
    operands: [Operand("SHELL", "bash, zsh or fish", completion: .words(["bash", "zsh", "fish"]))],
    examples: [
      ("passcode completions bash > ~/.local/share/bash-completion/completions/passcode", "for bash"),
      ("passcode completions fish > ~/.config/fish/completions/passcode.fish", "for fish"),
    ],
    run: { invocation throws(CommandError) in
      let script =
        switch invocation.operands[0] {
        case "bash": BashCompletion.script
        case "zsh": ZshCompletion.script
        case "fish": FishCompletion.script
        default: throw .usage("there are completions for bash, zsh and fish", verb: invocation.verb)
        }
      try Output.write(Array(script.utf8).span)
    })

  static let help = Verb(
    path: ["help"], topic: .rest, summary: "Explain a verb, or list them all",
    operands: [Operand("VERB", "the verb", isRequired: false, repeats: true, completion: .verb)], options: [.man],
    examples: [("passcode help daemon", "the verbs of the daemon"), ("passcode help --man | man -l -", "the manual")],
    run: { invocation throws(CommandError) in
      if invocation.has(.man) {
        try Output.write(Array(ManPage.source.utf8).span)
      } else {
        try Output.lines(HelpText.lines(for: invocation.operands, style: Style(for: 1)))
      }
    })

  static let version = Verb(
    path: ["version"], topic: .rest, summary: "Show the version of this command",
    run: { invocation throws(CommandError) in
      guard invocation.wantsJSON else { return try Output.line("passcode \(Release.version)") }
      try Output.json { writer in
        writer.beginObject()
        writer.key("version")
        writer.string(Release.version)
        writer.endObject()
      }
    })
}
