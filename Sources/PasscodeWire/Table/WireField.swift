/// The name of a parameter, of a member of a reply or of a member of a type.
public struct WireField: Sendable {
  /// The name as it goes over the wire.
  public let name: StaticString

  /// A field of some interface; ours are static members.
  public init(_ name: StaticString) { self.name = name }
}

extension WireField: Equatable {
  /// Whether two names are the same, byte for byte.
  public static func == (a: Self, b: Self) -> Bool {
    a.name.withUTF8Buffer { a in b.name.withUTF8Buffer { b in unsafe a.elementsEqual(b) } }
  }
}

extension WireField: CustomStringConvertible {
  /// The name.
  public var description: String { text }

  /// The name as text.
  public var text: String { name.description }
}

/// The fields of ``WireMethod`` and ``WireError``, and of the types that they name.
extension WireField {
  /// `accepted`
  public static var accepted: Self { Self("accepted") }
  /// `acceptWipe`
  public static var acceptWipe: Self { Self("acceptWipe") }
  /// `account`
  public static var account: Self { Self("account") }
  /// `agreedBefore`
  public static var agreedBefore: Self { Self("agreedBefore") }
  /// `answeredAt`
  public static var answeredAt: Self { Self("answeredAt") }
  /// `answeredVersion`
  public static var answeredVersion: Self { Self("answeredVersion") }
  /// `answers`
  public static var answers: Self { Self("answers") }
  /// `at`
  public static var at: Self { Self("at") }
  /// `attributes`
  public static var attributes: Self { Self("attributes") }
  /// `belowPolicy`
  public static var belowPolicy: Self { Self("belowPolicy") }
  /// `bits`
  public static var bits: Self { Self("bits") }
  /// `choice`
  public static var choice: Self { Self("choice") }
  /// `column`
  public static var column: Self { Self("column") }
  /// `confirm`
  public static var confirm: Self { Self("confirm") }
  /// `consentPending`
  public static var consentPending: Self { Self("consentPending") }
  /// `count`
  public static var count: Self { Self("count") }
  /// `created`
  public static var created: Self { Self("created") }
  /// `createdAt`
  public static var createdAt: Self { Self("createdAt") }
  /// `credential`
  public static var credential: Self { Self("credential") }
  /// `credentials`
  public static var credentials: Self { Self("credentials") }
  /// `description`
  public static var descriptionText: Self { Self("description") }
  /// `deviceKey`
  public static var deviceKey: Self { Self("deviceKey") }
  /// `enable`
  public static var enable: Self { Self("enable") }
  /// `environment`
  public static var environment: Self { Self("environment") }
  /// `erase`
  public static var erase: Self { Self("erase") }
  /// `event`
  public static var event: Self { Self("event") }
  /// `expiresAt`
  public static var expiresAt: Self { Self("expiresAt") }
  /// `familyName`
  public static var familyName: Self { Self("familyName") }
  /// `fault`
  public static var fault: Self { Self("fault") }
  /// `fields`
  public static var fields: Self { Self("fields") }
  /// `file`
  public static var file: Self { Self("file") }
  /// `files`
  public static var files: Self { Self("files") }
  /// `findings`
  public static var findings: Self { Self("findings") }
  /// `flow`
  public static var flow: Self { Self("flow") }
  /// `folder`
  public static var folder: Self { Self("folder") }
  /// `form`
  public static var form: Self { Self("form") }
  /// `formFaults`
  public static var formFaults: Self { Self("formFaults") }
  /// `forms`
  public static var forms: Self { Self("forms") }
  /// `found`
  public static var found: Self { Self("found") }
  /// `gates`
  public static var gates: Self { Self("gates") }
  /// `givenName`
  public static var givenName: Self { Self("givenName") }
  /// `id`
  public static var id: Self { Self("id") }
  /// `image`
  public static var image: Self { Self("image") }
  /// `interface`
  public static var interface: Self { Self("interface") }
  /// `interfaces`
  public static var interfaces: Self { Self("interfaces") }
  /// `isAsked`
  public static var isAsked: Self { Self("isAsked") }
  /// `isComplete`
  public static var isComplete: Self { Self("isComplete") }
  /// `isCurrent`
  public static var isCurrent: Self { Self("isCurrent") }
  /// `isSatisfied`
  public static var isSatisfied: Self { Self("isSatisfied") }
  /// `isSigned`
  public static var isSigned: Self { Self("isSigned") }
  /// `key`
  public static var key: Self { Self("key") }
  /// `keyFingerprint`
  public static var keyFingerprint: Self { Self("keyFingerprint") }
  /// `kind`
  public static var kind: Self { Self("kind") }
  /// `languages`
  public static var languages: Self { Self("languages") }
  /// `limit`
  public static var limit: Self { Self("limit") }
  /// `line`
  public static var line: Self { Self("line") }
  /// `locale`
  public static var locale: Self { Self("locale") }
  /// `locksAt`
  public static var locksAt: Self { Self("locksAt") }
  /// `means`
  public static var means: Self { Self("means") }
  /// `memoryLocked`
  public static var memoryLocked: Self { Self("memoryLocked") }
  /// `message`
  public static var message: Self { Self("message") }
  /// `method`
  public static var method: Self { Self("method") }
  /// `mismatch`
  public static var mismatch: Self { Self("mismatch") }
  /// `modifiedAt`
  public static var modifiedAt: Self { Self("modifiedAt") }
  /// `name`
  public static var name: Self { Self("name") }
  /// `nameOrder`
  public static var nameOrder: Self { Self("nameOrder") }
  /// `neededMiB`
  public static var neededMiB: Self { Self("neededMiB") }
  /// `newName`
  public static var newName: Self { Self("newName") }
  /// `obstacle`
  public static var obstacle: Self { Self("obstacle") }
  /// `origin`
  public static var origin: Self { Self("origin") }
  /// `origins`
  public static var origins: Self { Self("origins") }
  /// `parameter`
  public static var parameter: Self { Self("parameter") }
  /// `part`
  public static var part: Self { Self("part") }
  /// `passcode`
  public static var passcode: Self { Self("passcode") }
  /// `passcodeExpiresAt`
  public static var passcodeExpiresAt: Self { Self("passcodeExpiresAt") }
  /// `path`
  public static var path: Self { Self("path") }
  /// `pid`
  public static var pid: Self { Self("pid") }
  /// `policy`
  public static var policy: Self { Self("policy") }
  /// `policyDigest`
  public static var policyDigest: Self { Self("policyDigest") }
  /// `policyFiles`
  public static var policyFiles: Self { Self("policyFiles") }
  /// `product`
  public static var product: Self { Self("product") }
  /// `protocolVersion`
  public static var protocolVersion: Self { Self("protocolVersion") }
  /// `purge`
  public static var purge: Self { Self("purge") }
  /// `quickUnlock`
  public static var quickUnlock: Self { Self("quickUnlock") }
  /// `quickUnlockAvailable`
  public static var quickUnlockAvailable: Self { Self("quickUnlockAvailable") }
  /// `quickUnlockReason`
  public static var quickUnlockReason: Self { Self("quickUnlockReason") }
  /// `reason`
  public static var reason: Self { Self("reason") }
  /// `record`
  public static var record: Self { Self("record") }
  /// `clockSetBackAt`
  public static var clockSetBackAt: Self { Self("clockSetBackAt") }
  /// `recordFault`
  public static var recordFault: Self { Self("recordFault") }
  /// `recording`
  public static var recording: Self { Self("recording") }
  /// `records`
  public static var records: Self { Self("records") }
  /// `recovery`
  public static var recovery: Self { Self("recovery") }
  /// `recoveryKey`
  public static var recoveryKey: Self { Self("recoveryKey") }
  /// `remedy`
  public static var remedy: Self { Self("remedy") }
  /// `replace`
  public static var replace: Self { Self("replace") }
  /// `required`
  public static var required: Self { Self("required") }
  /// `requirements`
  public static var requirements: Self { Self("requirements") }
  /// `resets`
  public static var resets: Self { Self("resets") }
  /// `retryAfterSeconds`
  public static var retryAfterSeconds: Self { Self("retryAfterSeconds") }
  /// `role`
  public static var role: Self { Self("role") }
  /// `score`
  public static var score: Self { Self("score") }
  /// `secret`
  public static var secret: Self { Self("secret") }
  /// `sequence`
  public static var sequence: Self { Self("sequence") }
  /// `set`
  public static var set: Self { Self("set") }
  /// `setAside`
  public static var setAside: Self { Self("setAside") }
  /// `setAsideAt`
  public static var setAsideAt: Self { Self("setAsideAt") }
  /// `sha256`
  public static var sha256: Self { Self("sha256") }
  /// `sharing`
  public static var sharing: Self { Self("sharing") }
  /// `signature`
  public static var signature: Self { Self("signature") }
  /// `signedCount`
  public static var signedCount: Self { Self("signedCount") }
  /// `size`
  public static var size: Self { Self("size") }
  /// `socketPath`
  public static var socketPath: Self { Self("socketPath") }
  /// `state`
  public static var state: Self { Self("state") }
  /// `step`
  public static var step: Self { Self("step") }
  /// `storedAt`
  public static var storedAt: Self { Self("storedAt") }
  /// `storeFault`
  public static var storeFault: Self { Self("storeFault") }
  /// `storeId`
  public static var storeId: Self { Self("storeId") }
  /// `storePath`
  public static var storePath: Self { Self("storePath") }
  /// `strength`
  public static var strength: Self { Self("strength") }
  /// `supported`
  public static var supported: Self { Self("supported") }
  /// `terminal`
  public static var terminal: Self { Self("terminal") }
  /// `text`
  public static var textOfRule: Self { Self("text") }
  /// `title`
  public static var title: Self { Self("title") }
  /// `triesRemaining`
  public static var triesRemaining: Self { Self("triesRemaining") }
  /// `type`
  public static var type: Self { Self("type") }
  /// `typing`
  public static var typing: Self { Self("typing") }
  /// `unmet`
  public static var unmet: Self { Self("unmet") }
  /// `unset`
  public static var unset: Self { Self("unset") }
  /// `url`
  public static var url: Self { Self("url") }
  /// `utcOffset`
  public static var utcOffset: Self { Self("utcOffset") }
  /// `vendor`
  public static var vendor: Self { Self("vendor") }
  /// `version`
  public static var version: Self { Self("version") }
  /// `versions`
  public static var versions: Self { Self("versions") }
  /// `what`
  public static var what: Self { Self("what") }
  /// `zone`
  public static var zone: Self { Self("zone") }
}
