/// The release that this code is, the same for the daemon, the command and the libraries.
public enum Release {
  /// `MAJOR.MINOR.PATCH`, by semantic versioning.
  public static let version = "0.1.0"
}
