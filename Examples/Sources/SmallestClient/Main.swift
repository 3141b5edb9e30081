import Glibc
import PasscodeClient
import SecretMemory

/// Reads a secret from the user's daemon, which is started where it does not run.
@main
enum SmallestClient {
  static func main() {
    do { try run() } catch {
      print("it did not work:", error)
      exit(1)
    }
  }

  static func run() throws {
    let client = try PasscodeClient.connect()
    print("the store is", try client.status().state)

    let token = try client.get("example/token")
    print("example/token, version \(token.version): \(token.secret.count) bytes")

    // An app of its own keeps its names together, in a folder that is named for it.
    let own = try client.scoped("org.example.app")
    try own.put("session", try SecretBytes(copying: Array("s3ss10n".utf8).span))
    print("kept:", try own.list().map(\.name))
    try own.delete("session", purges: true)
  }
}
