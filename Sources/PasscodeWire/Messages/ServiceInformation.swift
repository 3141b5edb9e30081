/// What a service says about itself.
public struct ServiceInformation: Sendable {
  /// Who makes it.
  public let vendor: String
  /// Its name.
  public let product: String
  /// Its release.
  public let version: String
  /// Where it is documented.
  public let url: String

  /// What a service says about itself.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}

extension WireCatalog {
  /// Writes the fields of a reply to `GetInfo`.
  public func describe(_ service: ServiceInformation, into reply: inout MessageWriter) {
    reply.string(.vendor, service.vendor)
    reply.string(.product, service.product)
    reply.string(.version, service.version)
    reply.string(.url, service.url)
    reply.strings(.interfaces, interfaces.map(\.name.description))
  }

  /// Writes the field of a reply to `GetInterfaceDescription`.
  ///
  /// - Throws: `interfaceNotFound`.
  public func describeInterface(_ call: WireFields, into reply: inout MessageWriter) throws(WireError) {
    let name = call.bytes(.interface)
    guard let interface = interfaces.first(where: { isEqual($0.name.description.utf8Span.span, name) }) else {
      let isBounded = name.count <= WireLimits.maximumMethodNameByteCount
      throw .interfaceNotFound(isBounded ? call.string(.interface) : "")
    }
    reply.string(.descriptionText, interface.description.span)
  }
}
