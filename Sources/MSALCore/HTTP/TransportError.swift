// Licensed under the MIT License. See LICENSE.

/// Why a request has no answer.
package struct TransportError: Error, Sendable {
    /// The failure, as the caller has to treat it.
    package enum Kind: Sendable, Equatable {
        /// No answer within the allowed time. Try again.
        case timedOut
        /// The host name has no address. Check the name and the DNS, then try again.
        case cannotFindHost
        /// Nobody listens there, or the proxy refuses. Check address, port and proxy, then try again.
        case cannotConnect
        /// The connection ended before the answer was complete. Try again.
        case connectionLost
        /// This machine has no route to any network. Try again when it has.
        case offline
        /// The address is no URL this transport serves, or a header is none of HTTP. Correct it; trying again is
        /// useless.
        case badURL
        /// The server's certificate comes from an unknown authority. Add its CA, see `message`.
        case untrustedCertificate
        /// The server's certificate is for another name, or names its hosts in the subject alone. Correct the address, or the certificate.
        case wrongHostName
        /// The server's certificate is past its last day, or this machine's clock is wrong.
        case certificateExpired
        /// The server's certificate has a first day that is yet to come, or this machine's clock is wrong.
        case certificateNotYetValid
        /// TLS could not be agreed upon for another reason.
        case tlsHandshake
        /// The calling task was cancelled.
        case canceled
        /// The bytes that came are no HTTP response. Check the address; a proxy or another program may answer there.
        case badResponse
        /// The response is longer than `limit` bytes. Nothing of it was used.
        case responseTooLarge(limit: Int)
    }

    package let kind: Kind
    /// The cause and the remedy in words. Free of secrets.
    package let message: String
    /// The error of the layer below, where there is one.
    package let underlying: (any Error)?
    /// Whether a body was on its way before the failure: the server may have acted on the request.
    package var hasSentBody = false

    package init(_ kind: Kind, message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlying = underlying
    }

    /// This failure, with words in front of its own that say what the request was for.
    package func during(_ purpose: String) -> TransportError {
        var copy = TransportError(kind, message: "\(purpose): \(message)", underlying: underlying)
        copy.hasSentBody = hasSentBody
        return copy
    }

    /// The code in `NSURLErrorDomain` under which Apple's loading system reports this failure
    /// (docs/reference/Errors.md#transport); `nil` for the two that MSAL reports in its own domain.
    package var urlErrorCode: Int? {
        switch kind {
        case .timedOut: -1001
        case .cannotFindHost: -1003
        case .cannotConnect: -1004
        case .connectionLost: -1005
        case .offline: -1009
        case .badURL: -1000
        case .untrustedCertificate, .wrongHostName: -1202
        case .certificateExpired: -1201
        case .certificateNotYetValid: -1204
        case .tlsHandshake: -1200
        case .badResponse: -1011
        case .canceled, .responseTooLarge: nil
        }
    }
}
