// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Describes an error of the HTTP client, whose own descriptions are case names.
package enum HTTPClientErrorText {
    /// The reason, to complete a sentence about an address that did not respond.
    package static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded: "no response arrived in time"
            case .remoteConnectionClosed: "the server closed the connection"
            default: "\(error.shortDescription)"
            }
        case is NIOConnectionError, is IOError: "the connection was refused, or its name has no address"
        case NIOSSLError.handshakeFailed(let cause):
            "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
                ? "its certificate was not issued by a trusted authority" : "the TLS handshake failed"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: "TLS failed"
        case is HTTPParserError: "its response is not HTTP"
        case ChannelError.connectTimeout: "no response arrived in time"
        default: "the connection broke"
        }
    }
}
