// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A failure to use an authority, or to get its metadata.
package struct AuthorityError: Error, Sendable {
    /// The kinds that a caller treats differently. The number is the internal code of the public error.
    package enum Kind: Sendable {
        /// The app passed an unsuitable authority (-42000). Correct the configuration.
        case invalidParameter
        /// The URL is not an authority of the requested kind, or the kind is not supported (-42008). Correct the
        /// configuration.
        case unexpected
        /// The service does not know the authority, or its metadata describe another issuer (-42010).
        case validationFailed
        /// The metadata are malformed (-42600).
        case invalidResponse
        /// The service responded with an error status (-42007). For 429 and 5xx the caller tries again later.
        case http(status: Int, headers: [String: String])
        /// No response came. The kind of the inner error says whether to try again.
        case transport(TransportError)
    }

    package let kind: Kind
    /// The cause and the remedy, in one line. It contains no secret.
    package let message: String
    /// The `AADSTS…` numbers that the service returned.
    package let serviceCodes: [Int]

    package init(_ kind: Kind, message: String, serviceCodes: [Int] = []) {
        self.kind = kind
        self.message = message.visibleLine
        self.serviceCodes = serviceCodes
    }

    /// A response whose status is not explained otherwise. `source` names the sender. The service's message is kept.
    init(_ response: HTTPResponse, from source: String) {
        let words = ServiceErrorDetails(body: response.body)
        self.init(
            .http(status: response.status, headers: response.headers),
            message: words?.text ?? response.refusal(from: source),
            serviceCodes: words?.codes ?? []
        )
    }

    package init(_ error: TransportError) { self.init(.transport(error), message: error.message) }

    static let canceledCall = AuthorityError(TransportError(.canceled, message: "The call was canceled."))
}
