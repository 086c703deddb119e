// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A failure that leaves a request without a response.
package struct TransportError: Error, Sendable {
    /// The kinds that a caller treats differently.
    package enum Kind: Sendable, Equatable {
        /// No response came within the allowed time. Try again.
        case timedOut
        /// The host name has no address. Check the name and the DNS, then try again.
        case cannotFindHost
        /// The connection was refused, by the server or by the proxy. Check address, port, and proxy, then try again.
        case cannotConnect
        /// The connection ended before the response was complete. Try again.
        case connectionLost
        /// This machine has no network connection. Try again when it has one.
        case offline
        /// This transport does not serve the address, or a header is not valid in HTTP. Correct it, because trying again
        /// is useless.
        case badURL
        /// The server's certificate comes from an unknown authority. `message` says how to add its CA.
        case untrustedCertificate
        /// The server's certificate is for another name, or names its hosts only in the subject. Correct the address or the
        /// certificate.
        case wrongHostName
        /// The server's certificate is past its last day, or this machine's clock is wrong.
        case certificateExpired
        /// The server's certificate is not valid yet, or this machine's clock is wrong.
        case certificateNotYetValid
        /// The TLS handshake failed for another reason.
        case tlsHandshake
        /// The calling task was canceled.
        case canceled
        /// The response is not HTTP. Check the address; a proxy or another program may be listening there.
        case badResponse
        /// The response is longer than `limit` bytes. It was discarded.
        case responseTooLarge(limit: Int)
    }

    package let kind: Kind
    /// The cause and the remedy, in one line. It contains no secret.
    package let message: String
    /// The error of the layer below, if there is one.
    package let underlying: (any Error)?
    /// Whether the body was sent before the failure. Then the server may have acted on the request.
    package var hasSentBody = false

    package init(_ kind: Kind, message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message.visibleLine
        self.underlying = underlying
    }

    /// This failure with the purpose of the request in front of its message.
    package func during(_ purpose: String) -> TransportError {
        var copy = TransportError(kind, message: "\(purpose): \(message)", underlying: underlying)
        copy.hasSentBody = hasSentBody
        return copy
    }

    /// The code in `NSURLErrorDomain` with which Apple's loading system reports this failure
    /// (docs/reference/Errors.md#transport). It is `nil` for the two that MSAL reports in its own domain.
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
