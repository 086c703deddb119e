// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// The binding of an access token, RFC 7800: to a key that signs requests, or to the certificate of a connection.
enum Confirmation: Sendable, Equatable {
    /// A key, by its SHA-256 thumbprint in base64url (RFC 7638).
    case key(String)
    /// A certificate, by its SHA-256 thumbprint in base64url (RFC 8705 §3.1).
    case certificate(String)

    /// Whether a token request asks for a token that is bound to the certificate of its connection.
    static func isCertificateBindingRequested(_ form: FormValues) -> Bool {
        form["token_type"]?.lowercased() == "mtls_pop"
    }

    /// Reads the binding that a token request asks for; `nil` for a bearer token.
    ///
    /// `certificate`: The certificate with which the client has authenticated.
    ///
    /// - Throws: `EntraError` for an unknown token type, for a key that is missing, malformed, or unexpected, and for a
    ///   missing certificate.
    init?(_ form: FormValues, certificate: RegisteredCertificate?) throws(EntraError) {
        let confirmation = form["req_cnf"]
        switch form["token_type"]?.lowercased() {
        case "mtls_pop":
            guard confirmation == nil else { throw .unrequestedConfirmation }
            guard let certificate else { throw .missingConnectionCertificate }
            self = .certificate(certificate.sha256Thumbprint)
        case "pop":
            guard let confirmation else { throw .missingParameter("req_cnf") }
            guard let keyID = Self.keyID(confirmation) else { throw .malformedConfirmation }
            self = .key(keyID)
        case nil, "bearer":
            // A client that sends a key expects a token bound to it, and would not notice a bearer token.
            guard confirmation == nil else { throw .unrequestedConfirmation }
            return nil
        case .some: throw .unsupportedValue("token_type")
        }
    }

    /// The binding in the claim `cnf` of a token; `nil` for a bearer token.
    init?(claim: JSONValue?) {
        if let thumbprint = claim?["x5t#S256"]?.string {
            self = .certificate(thumbprint)
        } else if let keyID = claim?["kid"]?.string {
            self = .key(keyID)
        } else {
            return nil
        }
    }

    /// The claim `cnf` of the token.
    var claim: JSONValue {
        switch self {
        case .key(let keyID): ["kid": .string(keyID)]
        case .certificate(let thumbprint): ["x5t#S256": .string(thumbprint)]
        }
    }

    /// `token_type` of the response.
    var tokenType: String {
        switch self {
        case .key: "pop"
        case .certificate: "mtls_pop"
        }
    }

    /// `kid` of the JSON object in the parameter, which is base64url. Other members are ignored.
    private static func keyID(_ text: String) -> String? {
        // All invalid texts get the same response.
        guard let json = Data(base64URL: text), let value = JSONValue(parsing: json),
            let keyID = value["kid"]?.string, Data(base64URL: keyID)?.count == SHA256.byteCount
        else { return nil }
        return keyID
    }
}

/// The service documents no numbers for these errors. Both use the number of "request is malformed".
extension EntraError {
    static let malformedConfirmation = invalidRequest(
        9_002_313,
        message: "Invalid request. The parameter 'req_cnf' must be the base64url of a JSON object whose member 'kid' "
            + "is the SHA-256 thumbprint of a key."
    )

    static let unrequestedConfirmation = invalidRequest(
        9_002_313,
        message: "Invalid request. The parameter 'req_cnf' is only allowed with 'token_type=pop'."
    )
}
