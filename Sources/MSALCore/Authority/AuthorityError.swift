// Licensed under the MIT License. See LICENSE.

/// Why an authority cannot be used, or its metadata cannot be had.
package struct AuthorityError: Error, Sendable {
    /// The failure, as the caller has to treat it; the number is the internal code of the public error.
    package enum Kind: Sendable {
        /// The app gave an authority that does not fit (-42000). Correct the configuration.
        case invalidParameter
        /// The URL is no authority of the wanted kind, or the kind is not served (-42008). Correct the configuration.
        case unexpected
        /// The service does not know the authority, or its metadata speak for somebody else (-42010).
        case validationFailed
        /// The metadata are malformed (-42600).
        case invalidResponse
        /// The service answered with an error status (-42007). Try again later where it is 429 or 5xx.
        case http(status: Int, headers: [String: String])
        /// No answer came; its own kind says whether to try again.
        case transport(TransportError)
    }

    package let kind: Kind
    /// The cause and the remedy in words. Free of secrets.
    package let message: String
    /// The numbers behind `AADSTS…` that the service gave.
    package let serviceCodes: [Int]

    package init(_ kind: Kind, message: String, serviceCodes: [Int] = []) {
        self.kind = kind
        self.message = message
        self.serviceCodes = serviceCodes
    }

    /// An answer with a status that nothing else explains; `source` names who gave it. The service's words are kept.
    init(_ response: HTTPResponse, from source: String) {
        let words = ServiceWords(body: response.body)
        self.init(
            .http(status: response.status, headers: response.headers),
            message: words?.text ?? response.refusal(from: source),
            serviceCodes: words?.codes ?? []
        )
    }

    package init(_ error: TransportError) {
        self.init(.transport(error), message: error.message)
    }

    static let canceledCall = AuthorityError(TransportError(.canceled, message: "The call was cancelled."))
}
