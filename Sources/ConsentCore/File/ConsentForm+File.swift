internal import StrictJSON

extension ConsentForm {
  /// The form as one file that needs no other: the same format, with the texts that had markup as blocks (`bodyBlocks` and the
  /// like). ``ConsentFormFile/parse(flattened:name:origin:)`` reads it back as the same form.
  ///
  /// A form of an app's own, not read from a file, may hold what no file can, such as an empty text; it is not read back then.
  ///
  /// - Precondition: lists, quotes, tables and spans are nested no deeper than a file can have them.
  public var flattened: [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.write("id", id.description)
    json.write("version", version.description)
    json.write("kind", kind.rawValue)
    json.write("required", isRequired)
    json.write("order", order)
    if let validDays { json.write("validDays", validDays) }
    if confirmations != ConsentConfirmations() {
      json.key("confirmations")
      json.beginObject()
      json.write("deny", confirmations.deny)
      json.write("cancel", confirmations.cancel)
      json.endObject()
    }
    if let processing {
      json.key("processing")
      processing.writeFile(to: &json)
    }
    json.write("defaultLocale", defaultLocale.description)
    json.key("locales")
    json.beginObject()
    for variant in variants {
      json.key(variant.locale.description)
      variant.write(to: &json)
    }
    json.endObject()
    json.endObject()
    return json.finish().bytes
  }
}

extension ConsentProcessing {
  fileprivate func writeFile(to json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("privacyNotice", privacyNotice)
    json.write("purposes", each: purposes) { purpose, json in
      json.write("description", purpose.description)
      json.write("personalData", purpose.personalData)
      json.write("lawfulBasis", purpose.lawfulBasis)
    }
    json.write("controllers", each: controllers) { party, json in
      json.write("name", party.name)
      json.write("address", party.address)
      json.write("contact", party.contact)
    }
    json.write("storageLocations", storageLocations)
    json.write("retention", retention)
    json.write("jurisdiction", jurisdiction)
    json.write("recipients", recipients)
    json.write("withdrawalMethod", withdrawalMethod)
    json.endObject()
  }
}

extension ConsentVariant {
  fileprivate func write(to json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("title", title)
    json.write("changes", changes)
    switch content {
    case .pages(let pages):
      json.write("pages", each: pages) { page, json in
        json.write("title", page.title)
        json.write("body", page.body)
        if let learnMore = page.learnMore { learnMore.write(to: &json) }
      }
    case .document(let document):
      json.key("document")
      document.write(to: &json)
    }
    json.key("labels")
    json.beginObject()
    for (label, words) in labels.changed {
      json.key(label.rawValue)
      json.string(words)
    }
    json.endObject()
    json.endObject()
  }
}

extension ConsentLearnMore {
  fileprivate func write(to json: inout JSONWriter<ByteSink>) {
    json.key("learnMore")
    json.beginObject()
    json.write("title", title)
    switch target {
    case .url(let url): json.write("url", url)
    case .text(let text): json.write("text", text)
    }
    json.endObject()
  }
}

extension ConsentDocument {
  fileprivate func write(to json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("title", title)
    json.write("sections", each: sections) { section, json in
      json.write("type", section.type.rawValue)
      json.write("title", section.title)
      json.write("formalTitle", section.formalTitle)
      json.write("summary", section.summary)
      json.write("content", section.content)
      json.write("learnMoreURL", section.learnMoreURL)
      json.write("learnMoreTitle", section.learnMoreTitle)
      json.write("omitFromDocument", section.isOmittedFromDocument)
    }
    json.write("override", ConsentText(formatted: override))
    json.write("signaturePageTitle", signaturePageTitle)
    json.write("signaturePageContent", signaturePageContent)
    json.write("signatures", each: signatures) { signature, json in signature.writeMembers(to: &json) }
    json.key("review")
    json.beginObject()
    json.write("requiresScrollToBottom", review.requiresScrollToBottom)
    json.write("reason", review.reason)
    json.write("confirm", review.confirmsAgreement)
    json.endObject()
    if let sharing {
      json.key("sharing")
      json.beginObject()
      json.write("shortName", sharing.shortName)
      json.write("longName", sharing.longName)
      json.write("learnMore", sharing.learnMore)
      json.endObject()
    }
    json.endObject()
  }
}

extension ConsentSignature {
  /// The place alone: what was given is no part of a form.
  fileprivate func writeMembers(to json: inout JSONWriter<ByteSink>) {
    json.write("id", id)
    json.write("role", role)
    json.write("names", names.rawValue)
    json.write("requiresImage", requiresImage)
    json.write("dateFormat", datePattern?.source)
    json.write("fields", each: fields) { field, json in
      json.write("id", field.id)
      json.write("label", field.label)
      json.write("required", field.isRequired)
    }
  }
}

extension JSONWriter where Sink == ByteSink {
  /// Nothing for nil.
  @_disfavoredOverload
  fileprivate mutating func write(_ name: StaticString, _ value: String?) { if let value { write(name, value) } }

  /// A text under its key, its formatted side under the key with `Blocks`.
  fileprivate mutating func write(_ name: StaticString, _ text: ConsentText?) {
    if let plain = text?.plain { write(name, plain) }
    guard let formatted = text?.formatted else { return }
    key("\(name)Blocks")
    formatted.write(to: &self)
  }

  fileprivate mutating func write<Element>(
    _ name: StaticString, each elements: [Element], _ body: (Element, inout JSONWriter<ByteSink>) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements {
      beginObject()
      body(element, &self)
      endObject()
    }
    endArray()
  }
}
