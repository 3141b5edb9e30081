import PasscodeCore
import SecretMemory

/// Why a validator refuses a text as a person would type it; `nil` where it accepts.
func rejection(of text: String, by validator: some PasscodeValidationDelegate) throws -> PasscodeRejection? {
  let normal = try PasscodeText.normalize(text.utf8Span.span)
  do {
    try validator.validate(normal.bytes)
    return nil
  } catch { return error }
}
