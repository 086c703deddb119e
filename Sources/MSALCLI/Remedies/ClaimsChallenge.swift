// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The claims that a resource or the service wants tokens to have (OpenID Connect Core §5.5).
struct ClaimsChallenge: Equatable {
    /// The JSON in one line of ASCII. A terminal cannot show such a text wrongly.
    let text: String

    /// Reads a challenge as it is found: the JSON, the same in base64, or the `WWW-Authenticate` header around either.
    ///
    /// `nil` if it is none of them.
    init?(_ challenge: String) {
        guard let json = MSALClaimsRequest.jsonString(ofChallenge: challenge) else { return nil }
        text = json.utf16.map { unit in
            guard unit > 0x7E else { return String(decoding: [unit], as: UTF16.self) }
            // RFC 8259 §7. Such characters stand in strings only.
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// The claims as the library takes them.
    ///
    /// - Throws: `Failure` with the status `usage`, if tokens cannot be asked for like this.
    func request() throws(Failure) -> MSALClaimsRequest {
        var fault: NSError?
        let request = MSALClaimsRequest(jsonString: text, error: &fault)
        if let fault { throw .usage(fault.words, remedy: "Correct --claims.") }
        return request
    }

    /// What `--claims` takes, as an argument.
    static func parse(_ argument: String?) throws(Failure) -> ClaimsChallenge? {
        guard let argument else { return nil }
        guard let challenge = ClaimsChallenge(argument) else {
            throw .usage(
                "--claims has no claims in it.",
                remedy: "Give the JSON of a challenge, its base64, or the whole WWW-Authenticate header, in quotes."
            )
        }
        return challenge
    }

    /// Of the option `--claims`.
    static let help = "The claims of a challenge: JSON, base64 of it, or the whole WWW-Authenticate header."
}
