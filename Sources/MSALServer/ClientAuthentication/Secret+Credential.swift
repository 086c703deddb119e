// Licensed under the MIT License. See LICENSE.

import MSALBase
import UserFiles

extension Secret {
    /// A client secret, an assertion, or a token, which may come from a file or a variable.
    ///
    /// - Throws: An error of `kind` for a text that cannot be one. The message has `name`, and nothing of the text.
    init(credential text: String, of name: String, else kind: MSALTokenError.Kind) throws(MSALTokenError) {
        do throws(CredentialText.Fault) {
            self.init(try CredentialText.credential(in: text))
        } catch {
            throw MSALTokenError(kind, message: "\(name) \(error.reason). Nothing was sent.")
        }
        guard exposed.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw MSALTokenError(kind, message: "\(name) is empty. Nothing was sent.")
        }
    }
}
