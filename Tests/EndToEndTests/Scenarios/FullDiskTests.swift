import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct FullDiskTests {
  @Test("a store whose folder a full disk has no room for is told so, and not as a want of permission")
  func folder() throws {
    let home = try Sandbox()
    let disk = try home.directory.makeDirectory("disk")
    // As many files as the mount itself needs, and none more.
    let script = #"mount -t tmpfs -o nr_inodes=1,mode=700 none "$disk" && exec "$passcode" create --passcode-file "$file""#
    let variables = [
      "XDG_DATA_HOME": disk, "disk": disk, "passcode": try binary(named: "passcode"), "file": home.passcodeFile,
      "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    ]
    let result = try Command(
      "/usr/bin/unshare", ["-m", "/bin/sh", "-c", script], environment: home.environment.merging(variables) { $1 }
    ).run()
    result.expectExit(74, "create")
    #expect(result.errorText.contains("the disk is full"), "\(result.errorText)")
  }
}
