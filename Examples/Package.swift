// swift-tools-version: 6.2
import PackageDescription

// The smallest programs on each library. A program of your own names the repository's URL and a version in place of the path.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "passcoded", path: "..")],
  targets: [
    // The example of the README, word for word.
    .executableTarget(
      name: "ReadmeExample",
      dependencies: [
        .product(name: "PasscodeCore", package: "passcoded"), .product(name: "PasscodeStore", package: "passcoded"),
        .product(name: "PasscodeValidators", package: "passcoded"), .product(name: "SecretMemory", package: "passcoded"),
      ]),
    .executableTarget(
      name: "SmallestStore",
      dependencies: [
        .product(name: "PasscodeCore", package: "passcoded"), .product(name: "PasscodeStore", package: "passcoded"),
        .product(name: "PasscodeValidators", package: "passcoded"), .product(name: "SecretMemory", package: "passcoded"),
      ]),
    .executableTarget(
      name: "SmallestClient",
      dependencies: [
        .product(name: "PasscodeClient", package: "passcoded"), .product(name: "SecretMemory", package: "passcoded"),
      ]),
    // Asks for consent, and keeps the answers as evidence.
    .executableTarget(
      name: "ConsentExample",
      dependencies: [
        .product(name: "ConsentCore", package: "passcoded"), .product(name: "SecretMemory", package: "passcoded"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
