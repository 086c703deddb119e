// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import MSALCore

/// The messages for errors of NIO. NIO's own descriptions are names of cases and calls.
struct TransportFailureTests {
    private static let errors: [(any Error, String)] = [
        (
            IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)"),
            "The connection to login.example broke: Connection reset by peer. Try again."
        ),
        (ChannelError.inputClosed, "The connection to login.example broke. Try again."),
        (
            HTTPParserError.invalidConstant,
            "The response of login.example is not HTTP. Check the address. Perhaps a proxy or another program listens "
                + "there."
        ),
        (NIOSSLExtraError.invalidSNIHostname, "TLS with login.example failed. Check the address."),
    ]

    @Test(arguments: errors.indices)
    func `a message contains the system's reason, and no name of NIO`(index: Int) async throws {
        let (error, message) = Self.errors[index]
        let failure = TransportFailure(
            url: try #require(URL(string: "https://login.example/")),
            proxy: nil,
            settings: HTTPSettings(environment: [:]),
            isCanceled: false
        )

        let explained = await failure.explain(error)

        #expect(explained.message == message)
        #expect(explained.underlying != nil)
    }
}
