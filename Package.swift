// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

/// Every executable: full RELRO and no lazy binding, so that no symbol is resolved after the first secret is read.
let hardened: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])]

/// Release: the Swift, C++ and GCC runtimes inside the binary (`Sources/Link` holds a one-line linker script) and packed
/// relocations. Loading the shared runtimes would double the start-up time of a command.
let selfContained: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-L", Context.packageDirectory + "/Sources/Link", "-Xclang-linker", "-static-libgcc",
      "-Xlinker", "--no-export-dynamic", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "-s", "-Xlinker",
      "-z", "-Xlinker", "pack-relative-relocs",
    ],
    .when(configuration: .release))
]

let package = Package(
  name: "passcoded",
  products: [
    .executable(name: "passcoded", targets: ["passcoded"]),
    .executable(name: "passcode", targets: ["passcode-cli"]),
    .executable(name: "passcode-keyring", targets: ["passcode-keyring"]),
    .executable(name: "passcode-logind", targets: ["passcode-logind"]),
    .executable(name: "passcode-consent", targets: ["passcode-consent"]),
    .executable(name: "passcode-consent-pdf", targets: ["passcode-consent-pdf"]),
    // A library's product brings along the modules whose types its own calls name.
    .library(name: "SecretMemory", targets: ["SecretMemory"]),
    .library(name: "PasscodeCore", targets: ["PasscodeCore", "StrictJSON"]),
    .library(name: "ConsentCore", targets: ["ConsentCore", "ConsentMarkup", "StrictJSON", "SecretMemory"]),
    .library(name: "ConsentPDF", targets: ["ConsentPDF", "ConsentCore", "PasscodePlatform"]),
    .library(name: "PasscodeValidators", targets: ["PasscodeValidators"]),
    .library(name: "PasscodeStore", targets: ["PasscodeStore"]),
    .library(name: "PasscodeKeyring", targets: ["PasscodeKeyring"]),
    .library(name: "PasscodeClient", targets: ["PasscodeClient", "PasscodeWire", "PasscodePlatform"]),
  ],
  targets: [
    // C libraries and small shims.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
    // GLib's pkg-config file tells where its headers are. That of libsecret leads to a `-pthread`, of which SwiftPM warns.
    .systemLibrary(name: "CLibsecret", pkgConfig: "glib-2.0", providers: [.apt(["libsecret-1-dev"])]),
    .target(
      name: "CKeyring", dependencies: ["CLibsecret"], cSettings: [.unsafeFlags(["-I/usr/include/libsecret-1"])],
      linkerSettings: [.linkedLibrary("secret-1"), .linkedLibrary("gio-2.0"), .linkedLibrary("gobject-2.0")]),
    .systemLibrary(name: "CLibsystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CLogind", dependencies: ["CLibsystemd"]),
    .systemLibrary(
      name: "CCMark", pkgConfig: "libcmark-gfm", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CMarkup", dependencies: ["CCMark", "CLibXML2"]),
    // The pkg-config file of pangocairo leads to a `-pthread`, too.
    .systemLibrary(name: "CPango", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
    .target(
      name: "CPaper", dependencies: ["CPango"],
      cSettings: [.unsafeFlags(["-I/usr/include/pango-1.0", "-I/usr/include/harfbuzz"])],
      linkerSettings: ["pangocairo-1.0", "pango-1.0", "harfbuzz", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),
    .target(name: "CLinux"),
    .target(name: "CCommonPasswords", exclude: ["LICENSE-zxcvbn.txt"]),

    // The pure core.
    .target(name: "SecretMemory", dependencies: ["CSodium", "CUTF8Proc"], swiftSettings: strict),
    .target(name: "StrictJSON", swiftSettings: strict),
    .target(name: "PasscodeCore", dependencies: ["SecretMemory", "StrictJSON"], swiftSettings: strict),
    .target(name: "ConsentCore", dependencies: ["SecretMemory", "StrictJSON"], swiftSettings: strict),
    // Parsers of foreign formats: no part of the daemon or of the command.
    .target(name: "ConsentMarkup", dependencies: ["ConsentCore", "CMarkup"], swiftSettings: strict),
    .target(
      name: "PasscodeWire", dependencies: ["SecretMemory", "StrictJSON"], resources: [.embedInCode("IDL")],
      swiftSettings: strict),

    .target(name: "ConsentLayout", dependencies: ["ConsentCore", "SecretMemory"], swiftSettings: strict),

    // The edges.
    .target(name: "ConsentPDF", dependencies: ["CLinux", "ConsentCore", "PasscodePlatform"], swiftSettings: strict),
    .target(
      name: "PasscodeValidators",
      dependencies: [
        "PasscodeCore", "PasscodePlatform", "SecretMemory", "StrictJSON", "CPCRE2", "CZxcvbn", "CCommonPasswords",
      ],
      swiftSettings: strict),
    .target(
      name: "PasscodeStore", dependencies: ["PasscodeCore", "PasscodePlatform", "SecretMemory", "CSQLite"],
      swiftSettings: strict),
    .target(name: "PasscodePlatform", dependencies: ["CLinux", "SecretMemory"], swiftSettings: strict),
    .target(
      name: "PasscodeService",
      dependencies: [
        "PasscodeCore", "ConsentCore", "PasscodeValidators", "PasscodeStore", "PasscodeKeyring", "PasscodePrompts",
        "PasscodeWire", "PasscodePlatform", "SecretMemory", "StrictJSON",
      ],
      swiftSettings: strict),
    .target(
      name: "PasscodeKeyring", dependencies: ["PasscodeCore", "PasscodePlatform", "SecretMemory", "CLinux"],
      swiftSettings: strict),
    .target(
      name: "PasscodeClient", dependencies: ["PasscodeWire", "PasscodePlatform", "SecretMemory", "StrictJSON"],
      swiftSettings: strict),
    .target(name: "PasscodePrompts", dependencies: ["PasscodePlatform", "SecretMemory"], swiftSettings: strict),

    // The programs.
    .executableTarget(
      name: "passcoded", dependencies: ["PasscodeService", "PasscodePlatform"], swiftSettings: strict,
      linkerSettings: hardened + selfContained),
    .executableTarget(
      name: "passcode-cli",
      dependencies: [
        "PasscodeClient", "PasscodeWire", "PasscodeCore", "ConsentCore", "ConsentPDF", "PasscodePlatform",
        "SecretMemory", "StrictJSON",
      ],
      swiftSettings: strict,
      linkerSettings: hardened + selfContained),

    .executableTarget(
      name: "passcode-keyring",
      dependencies: ["CKeyring", "PasscodeKeyring", "PasscodeCore", "PasscodePlatform", "SecretMemory"],
      swiftSettings: strict, linkerSettings: hardened + selfContained),

    .executableTarget(
      name: "passcode-consent-pdf", dependencies: ["CPaper", "ConsentCore", "ConsentLayout", "PasscodePlatform"],
      swiftSettings: strict, linkerSettings: hardened + selfContained),
    .executableTarget(
      name: "passcode-logind", dependencies: ["CLogind", "PasscodePlatform"], swiftSettings: strict,
      linkerSettings: hardened + selfContained),

    .executableTarget(
      name: "passcode-consent", dependencies: ["ConsentCore", "ConsentMarkup", "PasscodePlatform"], swiftSettings: strict,
      linkerSettings: hardened + selfContained),

    // Tests. None depends on a program: they would inherit its linker settings. The end-to-end tests run the binaries.
    .target(
      name: "TestSupport", dependencies: ["CLinux", "PasscodePlatform", "PasscodeWire", "SecretMemory", "StrictJSON"],
      path: "Tests/Support",
      swiftSettings: strict),
    .testTarget(name: "SecretMemoryTests", dependencies: ["SecretMemory", "StrictJSON", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PasscodeCoreTests", dependencies: ["PasscodeCore", "SecretMemory", "StrictJSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentCoreTests",
      dependencies: ["ConsentCore", "ConsentMarkup", "PasscodePlatform", "SecretMemory", "StrictJSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentPDFTests",
      dependencies: ["ConsentPDF", "ConsentLayout", "ConsentCore", "PasscodePlatform", "SecretMemory", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodeValidatorsTests",
      dependencies: ["PasscodeValidators", "PasscodeCore", "PasscodePlatform", "SecretMemory", "TestSupport"],
      swiftSettings: strict),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
    .testTarget(
      name: "PasscodeStoreTests",
      dependencies: ["PasscodeStore", "PasscodeCore", "PasscodePlatform", "SecretMemory", "TestSupport", "CFaultVFS"],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodeWireTests", dependencies: ["PasscodeWire", "SecretMemory", "StrictJSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodePlatformTests", dependencies: ["CLinux", "PasscodePlatform", "SecretMemory", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodePromptsTests", dependencies: ["PasscodePrompts", "PasscodePlatform", "SecretMemory", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodeServiceTests",
      dependencies: [
        "CLinux", "ConsentCore", "PasscodeService", "PasscodeClient", "PasscodeCore", "PasscodeStore", "PasscodeKeyring",
        "PasscodePrompts",
        "PasscodeWire", "PasscodePlatform", "SecretMemory", "StrictJSON", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PasscodeKeyringTests",
      dependencies: ["PasscodeKeyring", "PasscodeCore", "PasscodePlatform", "SecretMemory", "CLinux", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CFaultVFS", "ConsentCore", "PasscodeClient", "PasscodeWire", "PasscodePlatform", "SecretMemory", "StrictJSON",
        "TestSupport",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
