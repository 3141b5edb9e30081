import StrictJSON

/// All tokens of a text, `.end` included, or the fault that stopped them.
func tokens(_ bytes: [UInt8], maximumDepth: Int = 32) -> Result<[JSONTokenizer.Token], JSONFault> {
  do throws(JSONFault) {
    var tokenizer = try JSONTokenizer(bytes.span, maximumDepth: maximumDepth)
    var all: [JSONTokenizer.Token] = []
    repeat { all.append(try tokenizer.next()) } while all.last != .end
    return .success(all)
  } catch {
    return .failure(error)
  }
}

/// The tree of a text, or the fault.
func document(_ bytes: [UInt8], maximumDepth: Int = 32) -> Result<JSONNode, JSONFault> {
  do throws(JSONFault) {
    return .success(try JSONDocument.parse(bytes.span, maximumDepth: maximumDepth))
  } catch {
    return .failure(error)
  }
}

/// The tree of a text without its places.
func value(of bytes: [UInt8]) throws -> JSONValue { JSONValue(try document(bytes).get()) }

/// The fault of a text, `nil` where it is accepted.
func fault(_ result: Result<some Any, JSONFault>) -> JSONFault? {
  if case .failure(let fault) = result { return fault }
  return nil
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
