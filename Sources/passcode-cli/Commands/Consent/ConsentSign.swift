internal import ConsentCore
internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let consentSign = Verb(
    path: ["consent", "sign"], topic: .consent, summary: "Add a further signature to the document that was agreed to",
    operands: [.form], options: [.role] + Option.signature,
    discussion: [
      "For those who sign beside you, such as a witness. The record keeps it as an entry of its own, and the document shows it. "
        + "It proves who signed no more than ink does.",
      "Exit 65 where the signature is not what the document asks for, 1 where nothing was agreed to. With --json: the entry.",
    ],
    examples: [("passcode consent sign study --role Witness --given-name Ada --family-name Lovelace", "a witness")],
    run: { invocation throws(CommandError) in try ConsentSignCommand.run(invocation) })
}

enum ConsentSignCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    guard let role = invocation.value(.role) else { throw .usage("--role says who signs", verb: invocation.verb) }
    let input = try SignatureInput(invocation)
    let session = try Session(invocation)
    let form = try session.form(try session.consentForm(invocation.operands[0]))
    let place = try place(role, form)
    let signature = input.signature(id: place.id)
    let record: WireConsentRecord
    do throws(ClientError) {
      record = try session.client.sign(form.id.description, signature, Surroundings().occasion(.command))
    } catch {
      var refusal = session.failure(error)
      switch error {
      case .daemon(.improperAnswer): refusal.details = AnswerDemand(place).faults(of: signature, nil)
      case .daemon(.nothingRecorded):
        refusal = refusal.saying(
          "you have not agreed to '\(form.id)', so there is no document to sign; run: passcode consent accept \(form.id)")
      default: break
      }
      throw refusal
    }
    try ConsentAnswerCommand.tell([record], session)
  }

  /// The signature of this role, in whichever language; or with this id.
  private static func place(_ role: String, _ form: ConsentForm) throws(CommandError) -> ConsentSignature {
    var roles: [String] = []
    for variant in form.variants {
      guard case .document(let document) = variant.content else { continue }
      for place in document.signatures {
        if place.role == role || place.id == role { return place }
        roles.append(place.role)
      }
    }
    let known = roles.isEmpty ? "none" : roles.map(\.shownSafely).joined(separator: ", ")
    throw CommandError(1, "NoRole", "nobody signs '\(form.id)' as '\(role.shownSafely)'; the roles are: \(known)")
  }
}

/// A signature from the command line.
struct SignatureInput {
  private var signature = WireSignature(id: "")

  var isGiven: Bool { signature != WireSignature(id: "") }

  func signature(id: String) -> WireSignature {
    var copy = signature
    copy.id = id
    return copy
  }

  init(_ invocation: Invocation) throws(CommandError) {
    // An empty name is none: scripts fill in what they have.
    signature.givenName = invocation.value(.givenName).flatMap { $0.isEmpty ? nil : $0 }
    signature.familyName = invocation.value(.familyName).flatMap { $0.isEmpty ? nil : $0 }
    if invocation.has(.familyFirst) { signature.nameOrder = .familyFirst }
    if let path = invocation.value(.image) { signature.image = Base64Text.encode(try Self.image(path).png) }
    for pair in invocation.values(.fields) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .usage("'\(pair.shownSafely)' is no field; write K=V", verb: invocation.verb)
      }
      signature.fields[parts[0]] = parts[1]
    }
  }

  /// A drawn signature in a file.
  ///
  /// - Throws: 66 where there is none, or what is there is no regular file; 65 for what is no PNG or too large.
  static func image(_ path: String) throws(CommandError) -> ConsentImage {
    let bytes: [UInt8]
    do {
      bytes = try Files.readRegular(path, limit: ConsentImage.maximumByteCount)
    } catch .file(_, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      throw CommandError(66, "NoInput", "there is no file \(path.shownSafely)")
    } catch .file(_, let error) where error.errno == EINVAL {
      throw CommandError(66, "NoInput", "\(path.shownSafely) is no regular file")
    } catch .tooLong {
      throw CommandError(65, "TooLarge", "\(path.shownSafely) is larger than \(ConsentImage.maximumByteCount >> 10) KiB")
    } catch {
      throw CommandError(error)
    }
    do { return try ConsentImage(png: bytes) } catch {
      throw CommandError(65, "MalformedImage", "\(path.shownSafely): \(error)")
    }
  }
}
