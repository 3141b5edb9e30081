import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

struct SecretInputTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func array(_ secret: borrowing SecretBytes) -> [UInt8] { secret.bytes.indices.map { secret.bytes[$0] } }

  private func read(_ bytes: [UInt8], limit: Int = 1024) -> Result<[UInt8], PlatformError> {
    do {
      let descriptor = try makeReadable(bytes)
      defer { close(descriptor) }
      return .success(array(try SecretInput.readPasscode(descriptor: descriptor, limit: limit)))
    } catch let error as PlatformError {
      return .failure(error)
    } catch {
      Issue.record(error)
      return .failure(.invalidPath)
    }
  }

  private func read(file path: String, _ variables: [String: String] = [:]) -> Result<[UInt8], PlatformError> {
    do {
      return .success(array(try SecretInput.readPasscode(file: path, environment: ProcessEnvironment(variables))))
    } catch {
      return .failure(error)
    }
  }

  @Test("SC-18: exactly one trailing line feed is dropped")
  func trailingLineFeed() {
    #expect(read(Array("pw".utf8)) == .success(Array("pw".utf8)))
    #expect(read(Array("pw\n".utf8)) == .success(Array("pw".utf8)))
    #expect(read(Array("pw\n\n".utf8)) == .success(Array("pw\n".utf8)))
    #expect(read(Array("pw\r\n".utf8)) == .success(Array("pw\r".utf8)))
    #expect(read(Array("a\nb".utf8)) == .success(Array("a\nb".utf8)))
    #expect(read([]) == .success([]))
    #expect(read([0x0a]) == .success([]))
  }

  @Test("SC-23: 1,024 bytes serve, 1,025 are refused and not cut", arguments: [1023, 1024, 1025, 1026, 1027, 50_000])
  func length(count: Int) {
    let text = [UInt8](repeating: 0x61, count: count)
    #expect(read(text) == (count <= 1024 ? .success(text) : .failure(.tooLong(limit: 1024))))
    #expect(read(text + [0x0a]) == (count <= 1024 ? .success(text) : .failure(.tooLong(limit: 1024))))
  }

  @Test("NUL is refused, other bytes come as they are")
  func bytes() {
    #expect(read([0x61, 0, 0x62]) == .failure(.containsNUL))
    #expect(read([0]) == .failure(.containsNUL))
    let rest = (1...255).map { UInt8($0) }
    #expect(read(rest) == .success(rest))
  }

  @Test("A descriptor that is not open is an error")
  func closedDescriptor() {
    #expect(throws: PlatformError.system(SyscallError("read", EBADF))) {
      _ = try SecretInput.readPasscode(descriptor: 9999).count
    }
  }

  @Test("A passcode that comes in pieces is put together")
  func pieces() throws {
    let (reading, writing) = try makePipe()
    let writer = Background { () -> Bool in
      for byte in "sesame\n".utf8 {
        var byte = byte
        _ = unsafe write(writing, &byte, 1)
        usleep(500)
      }
      return close(writing) == 0
    }
    let secret = try SecretInput.readPasscode(descriptor: reading)
    #expect(array(secret) == Array("sesame".utf8))
    #expect(writer.value())
    close(reading)
  }

  @Test("A file has to be closed to group and others", arguments: [0o600, 0o400, 0o700, 0o640, 0o604, 0o620, 0o610, 0o601])
  func mode(mode: UInt32) throws {
    let path = try directory.write("pw", Array("pw\n".utf8), mode: mode)
    if mode & 0o077 == 0 {
      #expect(read(file: path) == .success(Array("pw".utf8)))
    } else {
      #expect(read(file: path) == .failure(.unsafeFile(path: path, .openToOthers(mode: mode))))
    }
  }

  @Test("The refusal of an open file says how to close it")
  func wayOut() throws {
    let path = try directory.write("pw", [], mode: 0o644)
    let error = PlatformError.unsafeFile(path: path, .openToOthers(mode: 0o644))
    #expect(error.description == "refusing file \(path): it is open to others (mode 0644); run: chmod 600 '\(path)'")
  }

  @Test("Another user's file is refused, behind a link too", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let path = try directory.write("pw", Array("pw".utf8))
    #expect(unsafe chown(path, 65_534, 65_534) == 0)
    #expect(read(file: path) == .failure(.unsafeFile(path: path, .foreignOwner(uid: 65_534))))
    let link = directory.file("link")
    #expect(unsafe symlink(path, link) == 0)
    #expect(read(file: link) == .failure(.unsafeFile(path: link, .foreignOwner(uid: 65_534))))
  }

  @Test("A directory, a device and a missing file are refused, each in its words")
  func kinds() throws {
    #expect(read(file: directory.path) == .failure(.unsafeFile(path: directory.path, .notAFile)))
    #expect(read(file: "/dev/null") == .failure(.unsafeFile(path: "/dev/null", .notAFile)))
    let missing = directory.file("missing")
    #expect(read(file: missing) == .failure(.file(path: missing, SyscallError("open", ENOENT))))
  }

  @Test("A pipe of our own serves as a file, as shells make for <(command)")
  func processSubstitution() throws {
    let descriptor = try makeReadable(Array("pw\n".utf8))
    defer { close(descriptor) }
    #expect(read(file: "/dev/fd/\(descriptor)") == .success(Array("pw".utf8)))
  }

  @Test("A service's credential may be root's and readable by the group; elsewhere it may not", .enabled(if: geteuid() == 0))
  func credentials() throws {
    try directory.makeDirectory("credentials")
    try directory.write("outside", Array("pw".utf8), mode: 0o440)
    let path = try directory.write("credentials/pw", Array("pw".utf8), mode: 0o440)
    let environment = ["CREDENTIALS_DIRECTORY": directory.file("credentials")]
    #expect(read(file: path, environment) == .success(Array("pw".utf8)))
    #expect(read(file: path) == .failure(.unsafeFile(path: path, .openToOthers(mode: 0o440))))
    let around = directory.file("credentials/../outside")
    #expect(read(file: around, environment) == .failure(.unsafeFile(path: around, .openToOthers(mode: 0o440))))
    #expect(unsafe chmod(path, 0o444) == 0)
    #expect(read(file: path, environment) == .failure(.unsafeFile(path: path, .openToOthers(mode: 0o444))))
  }

  @Test(
    "SC-19: a value of any size up to its limit comes byte for byte, a longer one is refused",
    arguments: [0, 1, 65_536, 1 << 20])
  func values(count: Int) throws {
    var random = SplitMix64.announced()
    let value = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = directory.file("value")
    try AtomicFile.write(value.span, to: path)
    let file = try Files.open(path, .read)
    let secret = try SecretInput.readValue(descriptor: file.raw)
    #expect(array(secret) == value)
    try AtomicFile.write((value + [UInt8](repeating: 0, count: (1 << 20) + 1 - count)).span, to: path)
    let longer = try Files.open(path, .read)
    #expect(throws: PlatformError.tooLong(limit: 1 << 20)) { _ = try SecretInput.readValue(descriptor: longer.raw).count }
  }
}
