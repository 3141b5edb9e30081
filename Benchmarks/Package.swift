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

/// As the product's programs are linked: a start-up time is compared only with one that was bought the same way.
let asShipped: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now", "-static-stdlib", "-use-ld=lld", "-L",
      Context.packageDirectory + "/../Sources/Link", "-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "-s", "-Xlinker", "-z", "-Xlinker",
      "pack-relative-relocs",
    ],
    .when(configuration: .release))
]

let package = Package(
  name: "passcoded-benchmarks",
  dependencies: [.package(name: "passcoded", path: "..")],
  targets: [
    .executableTarget(
      name: "fill-store",
      dependencies: [
        .product(name: "PasscodeStore", package: "passcoded"), .product(name: "PasscodeCore", package: "passcoded"),
        .product(name: "SecretMemory", package: "passcoded"), .product(name: "PasscodeClient", package: "passcoded"),
      ],
      path: "Sources/FillStore", swiftSettings: strict, linkerSettings: asShipped),
    .executableTarget(
      name: "trivial-swift", path: "Sources/TrivialSwift", swiftSettings: strict, linkerSettings: asShipped),
  ],
  swiftLanguageModes: [.v6]
)
