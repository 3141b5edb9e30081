/// The least that a Swift program costs: start, print a line, end.
@main enum Main {
  static func main() { print("trivial") }
}
