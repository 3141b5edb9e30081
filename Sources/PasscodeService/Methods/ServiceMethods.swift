internal import PasscodeWire

/// `org.varlink.service`.
extension Session {
  func getInfo(_ replies: inout Replies) throws(WireError) {
    let information = ServiceInformation(
      vendor: "passcoded", product: "passcoded", version: service.configuration.version, url: service.configuration.documents)
    try replies.reply { catalog.describe(information, into: &$0) }
  }

  func getInterfaceDescription(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    try replies.reply { (reply) throws(WireError) in try catalog.describeInterface(fields, into: &reply) }
  }
}
