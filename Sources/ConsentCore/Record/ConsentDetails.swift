internal import StrictJSON

extension ConsentForm {
  /// What a receipt has to tell of the form in one language, as JSON: kept beside each entry, so that a receipt can be written
  /// long after the form has gone.
  public func details(of variant: ConsentVariant) -> [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.write("title", variant.title)
    json.write("required", isRequired)
    json.write("origin", origin.rawValue)
    if let validDays { json.write("validDays", validDays) }
    if let processing {
      json.key("piiProcessing")
      processing.write(to: &json)
    }
    json.endObject()
    return json.finish().bytes
  }
}

extension ConsentProcessing {
  /// The section *PII processing* of a receipt.
  func write(to json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("privacyNotice", privacyNotice)
    json.key("purposes")
    json.beginArray()
    for purpose in purposes {
      json.beginObject()
      json.write("purpose", purpose.description)
      json.write("piiInformation", purpose.personalData)
      if let basis = purpose.lawfulBasis { json.write("lawfulBasis", basis) }
      json.endObject()
    }
    json.endArray()
    json.key("piiControllers")
    json.beginArray()
    for party in controllers {
      json.beginObject()
      json.write("name", party.name)
      json.write("address", party.address)
      json.write("contact", party.contact)
      json.endObject()
    }
    json.endArray()
    json.write("storageLocations", storageLocations)
    json.write("retentionPeriod", retention)
    json.write("jurisdiction", jurisdiction)
    json.write("recipientThirdParties", recipients)
    json.write("withdrawalMethod", withdrawalMethod)
    json.endObject()
  }
}

extension JSONWriter where Sink == ByteSink {
  mutating func write(_ name: StaticString, _ values: [String]) {
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }
}
