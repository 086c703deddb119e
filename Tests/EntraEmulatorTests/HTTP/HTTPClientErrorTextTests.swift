// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import HTTPGuards
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

/// The words for errors of the HTTP client.
struct HTTPClientErrorTextTests {
    private static let errors: [(any Error, String)] = [
        (IOError(errnoCode: 111, reason: "connect"), "the connection was refused, or its name has no address"),
        (HTTPClientError.remoteConnectionClosed, "the server closed the connection"),
        (ChannelError.connectTimeout(.seconds(1)), "no response arrived in time"),
        (HTTPParserError.invalidConstant, "its response is not HTTP"),
        (BoringSSLError.unknownError([]), "TLS failed"),
        (NIOSSLError.uncleanShutdown, "TLS failed"),
        (ChannelError.inputClosed, "the connection broke"),
    ]

    @Test(arguments: errors.indices)
    func `no name of a case is among the words`(index: Int) {
        let (error, words) = Self.errors[index]

        #expect(HTTPClientErrorText.reason(error) == words)
    }
}
