/// The fields of what is hurt or older, and of what is taken out.
extension WireField {
  /// `acceptOlder`
  public static var acceptOlder: Self { Self("acceptOlder") }
  /// `damage`
  public static var damage: Self { Self("damage") }
  /// `gaps`
  public static var gaps: Self { Self("gaps") }
  /// `harm`
  public static var harm: Self { Self("harm") }
  /// `hurt`
  public static var hurt: Self { Self("hurt") }
  /// `hurtCount`
  public static var hurtCount: Self { Self("hurtCount") }
  /// `intact`
  public static var intact: Self { Self("intact") }
  /// `intactVersion`
  public static var intactVersion: Self { Self("intactVersion") }
  /// `intactVersions`
  public static var intactVersions: Self { Self("intactVersions") }
  /// `salvage`
  public static var salvage: Self { Self("salvage") }
}
