// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The words for an error of the HTTP client, whose own words are names of cases.
package enum NoResponse {
    /// The reason as the end of a sentence about an address that gave no response.
    package static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded: "no response came in time"
            case .remoteConnectionClosed: "the server closed the connection"
            default: "\(error.shortDescription)"
            }
        case is NIOConnectionError, is IOError: "nobody listens there, or its name has no address"
        case NIOSSLError.handshakeFailed(let cause):
            "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
                ? "its certificate is not of an authority that is trusted here" : "the TLS handshake failed"
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: "TLS failed"
        case is HTTPParserError: "its response is not HTTP"
        case ChannelError.connectTimeout: "no response came in time"
        default: "the connection broke"
        }
    }
}
