// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import MSALCore

/// Addresses from outside. `MSAL_FUZZ_ROUNDS` and `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``); an hour makes some
/// million.
struct AddressFuzzTests {
    /// NIO and the HTTP client end the process on a port that they cannot keep.
    @Test func `no address that is accepted ends the process in the layers below`() {
        var fuzz = Fuzz.addresses
        var accepted = 0

        fuzz.run(rounds: max(Fuzz.rounds, 20_000)) { bytes in
            guard let address = HTTPAddress(String(decoding: bytes, as: UTF8.self)) else { return }
            accepted += 1
            // It makes a NIO address of a numeric host. A refusal of the client is no failure here.
            guard let request = try? HTTPClient.Request(url: address.url) else { return }
            #expect((1...65_535).contains(request.port), "\(address)")
            _ = try? SocketAddress(ipAddress: request.host, port: request.port)
        }

        #expect(accepted > 1_000)
    }
}
