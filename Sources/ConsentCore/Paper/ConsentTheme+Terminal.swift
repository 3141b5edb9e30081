extension ConsentTheme {
  /// An action's words on a terminal, cut to the lines that an action may have.
  ///
  /// - Parameter width: of a line, in columns.
  public func actionWords(_ words: String, width: Int) -> String {
    guard let limit = action.lineLimit else { return words }
    let lines = LineBreaking.broken([RichLine.Run(text: PlainText.cleaned(words), style: [])], width: max(1, width))
    return LineBreaking.cut(lines, to: limit, width: max(1, width)).map { RichLine(runs: $0).text }.joined(separator: " ")
  }
}

extension ConsentColor {
  /// The contrast with black and with white that a text has on a terminal, whose ground is not known.
  ///
  /// Source: WCAG 2.2, success criterion 1.4.11: 3 to 1.
  private static var luminances: ClosedRange<Double> { 0.10...0.30 }

  /// The nearest colour of this hue that can be read on a black and on a white ground.
  public var readable: ConsentColor {
    var color = self
    var step = 0.0
    while !Self.luminances.contains(color.luminance), step < 1 {
      step += 1.0 / 64
      color = blended(with: luminance < Self.luminances.lowerBound ? 255 : 0, by: step)
    }
    return color
  }

  /// The nearest readable one of a terminal's 256 colours, 16 to 255.
  ///
  /// Source: xterm, `ctlseqs`: a cube of 6 × 6 × 6, then 24 greys.
  public var paletteIndex: Int {
    let wanted = readable
    let isReadable = { (index: Int) in Self.luminances.contains(Self.palette(index).luminance) }
    return (16...255).filter(isReadable).min { Self.palette($0).distance(to: wanted) < Self.palette($1).distance(to: wanted) }!
  }

  private static func palette(_ index: Int) -> ConsentColor {
    if index >= 232 { return ConsentColor(UInt32(8 + 10 * (index - 232)) * 0x01_0101) }
    let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
    let place = index - 16
    return ConsentColor(levels[place / 36] << 16 | levels[place / 6 % 6] << 8 | levels[place % 6])
  }

  /// Red, green and blue, 0 to 255.
  public var channels: (red: Int, green: Int, blue: Int) { (Int(value >> 16), Int(value >> 8 & 0xFF), Int(value & 0xFF)) }

  private func blended(with other: Double, by share: Double) -> ConsentColor {
    func blend(_ channel: Int) -> UInt32 { UInt32((Double(channel) + (other - Double(channel)) * share).rounded()) }
    let (red, green, blue) = channels
    return ConsentColor(blend(red) << 16 | blend(green) << 8 | blend(blue))
  }

  private func distance(to other: ConsentColor) -> Int {
    let (red, green, blue) = channels, (otherRed, otherGreen, otherBlue) = other.channels
    func square(_ number: Int) -> Int { number * number }
    return square(red - otherRed) + square(green - otherGreen) + square(blue - otherBlue)
  }

  /// The relative luminance, 0 to 1, by a cubic that comes near to sRGB's curve.
  private var luminance: Double {
    func linear(_ channel: Int) -> Double {
      let share = Double(channel) / 255
      return share * (share * (share * 0.305306 + 0.682171) + 0.012523)
    }
    let (red, green, blue) = channels
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
