internal import Glibc
internal import PasscodePlatform
internal import PasscodeValidators
internal import StrictJSON

/// Makes the index of a breach list for a program that reads along: one JSON document a line.
public enum BreachListImport {
  /// How it went.
  public struct Report: Sendable {
    /// `{"entries"}`, or `{"message"}` with what went wrong.
    public let json: String
    /// 0; 64 where the index would replace its source, 65 for a list that is none, 66 where there is no list, 73 where something else
    /// than a file stands in the index's place, else 74.
    public let exitCode: Int32
  }

  /// Imports a list.
  ///
  /// - Parameter tell: gets `{"entries", "completed", "total"}` now and then; false stops the import.
  public static func run(from source: String, to destination: String, _ tell: @escaping (String) -> Bool) -> Report {
    let importer = BreachListImporter(from: source) { progress in
      tell(
        document { writer in
          writer.key("entries")
          writer.integer(progress.entries)
          writer.key("completed")
          writer.integer(Int(clamping: progress.completed))
          writer.key("total")
          writer.integer(Int(clamping: progress.total))
        })
    }
    do throws(ValidatorFault) {
      let entries = try importer.run(to: destination)
      return Report(
        json: document { writer in
          writer.key("entries")
          writer.integer(entries)
        }, exitCode: 0)
    } catch {
      return Report(
        json: document { writer in
          writer.key("message")
          writer.string("\(error)")
        }, exitCode: exitCode(of: error))
    }
  }

  private static func exitCode(of fault: ValidatorFault) -> Int32 {
    switch fault {
    case .unreadable(_, ENOENT), .unreadable(_, EBADF): 66
    case .breachList(_, .sameFile): 64
    case .breachList(_, .system(.notAFile)): 73
    case .breachList(_, .malformedLine), .breachList(_, .unsortedLine), .breachList(_, .missingRange), .breachList(_, .empty):
      65
    default: 74
    }
  }

  private static func document(_ body: (inout JSONWriter<ByteSink>) -> Void) -> String {
    var writer = JSONWriter(ByteSink())
    writer.beginObject()
    body(&writer)
    writer.endObject()
    return String(decoding: writer.finish().bytes, as: UTF8.self)
  }
}
