// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// The key that an access token is bound to, RFC 7800.
struct Confirmation: Sendable, Equatable {
    /// The key's SHA-256 thumbprint in base64url, RFC 7638.
    let keyID: String

    /// The key that a token request names; `nil` for a bearer token.
    ///
    /// - Throws: `EntraError` for another type of token, and for a key that is missing, malformed, or not asked for.
    init?(_ form: FormValues) throws(EntraError) {
        let confirmation = form["req_cnf"]
        switch form["token_type"]?.lowercased() {
        case "pop":
            guard let confirmation else { throw .missingParameter("req_cnf") }
            guard let keyID = Self.keyID(confirmation) else { throw .malformedConfirmation }
            self.keyID = keyID
        case nil, "bearer":
            // A client that names a key expects a token that is bound to it; it would not notice a bearer token.
            guard confirmation == nil else { throw .unwantedConfirmation }
            return nil
        case .some(let other): throw .unsupportedValue("token_type", value: other)
        }
    }

    /// The claim `cnf` of the token.
    var claim: JSONValue { ["kid": .string(keyID)] }

    /// `kid` of the JSON object that the parameter is the base64url of; other members do not matter.
    private static func keyID(_ text: String) -> String? {
        // The response is the same for everything that can be wrong with the text.
        guard let json = Data(base64URL: text), let value = try? JSONDecoder().decode(JSONValue.self, from: json),
            let keyID = value["kid"]?.string, Data(base64URL: keyID)?.count == SHA256.byteCount
        else { return nil }
        return keyID
    }
}

/// The service documents no numbers for these; both are "request is malformed".
extension EntraError {
    static let malformedConfirmation = EntraError(
        number: 9_002_313,
        error: "invalid_request",
        message: "Invalid request. The parameter 'req_cnf' has to be the base64url of a JSON object whose member 'kid' "
            + "is the SHA-256 thumbprint of a key."
    )

    static let unwantedConfirmation = EntraError(
        number: 9_002_313,
        error: "invalid_request",
        message: "Invalid request. The parameter 'req_cnf' is only allowed with 'token_type=pop'."
    )
}
