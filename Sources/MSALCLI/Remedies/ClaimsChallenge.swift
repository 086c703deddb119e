// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The claims that a resource or the service requires in tokens (OpenID Connect Core §5.5).
struct ClaimsChallenge: Equatable {
    /// The JSON in one line of ASCII, so that every terminal shows it correctly.
    let text: String

    /// Reads a challenge in any of its forms: the JSON, its base64, or the `WWW-Authenticate` header with either of
    /// them.
    ///
    /// `nil` if the text has none of these forms.
    init?(_ challenge: String) {
        guard let json = MSALClaimsRequest.jsonString(ofChallenge: challenge) else { return nil }
        // Characters beyond ASCII occur only inside strings, so they can be escaped (RFC 8259 §7).
        text = json.utf16.map { unit in
            unit > 0x7E ? String(format: "\\u%04x", unit) : String(decoding: [unit], as: UTF16.self)
        }.joined()
    }

    /// The claims in the library's form.
    ///
    /// - Throws: `Failure` with the status `usage`, if the library does not accept them.
    func request() throws(Failure) -> MSALClaimsRequest {
        var fault: NSError?
        let request = MSALClaimsRequest(jsonString: text, error: &fault)
        if let fault { throw .usage(fault.userMessage, remedy: "Correct --claims.") }
        return request
    }

    /// The challenge in the value of `--claims`; `nil` without the option.
    static func parse(_ argument: String?) throws(Failure) -> ClaimsChallenge? {
        guard let argument else { return nil }
        guard let challenge = ClaimsChallenge(argument) else {
            throw .usage(
                "--claims contains no claims.",
                remedy: "Pass the JSON of a challenge, its base64 form, or the whole WWW-Authenticate header, in "
                    + "quotes."
            )
        }
        return challenge
    }

    /// The help of the option `--claims`.
    static let help = "The claims of a challenge: JSON, its base64 form, or the whole WWW-Authenticate header."
}
