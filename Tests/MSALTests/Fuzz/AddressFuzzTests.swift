// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import MSALCore

/// Addresses from outside. `MSAL_FUZZ_ROUNDS` and `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``). An hour tests some
/// million addresses.
struct AddressFuzzTests {
    /// NIO and the HTTP client trap on a port that they cannot represent.
    @Test func `no accepted address traps in the layers below`() {
        var fuzz = Fuzz.addresses
        var accepted = 0

        fuzz.run(rounds: max(Fuzz.rounds, 20_000)) { bytes in
            guard let address = HTTPAddress(String(decoding: bytes, as: UTF8.self)) else { return }
            accepted += 1
            // It creates a NIO address from a numeric host. An error of the client is not a failure here.
            guard let request = try? HTTPClient.Request(url: address.url) else { return }
            #expect((1...65_535).contains(request.port), "\(address)")
            _ = try? SocketAddress(ipAddress: request.host, port: request.port)
        }

        #expect(accepted > 1_000)
    }
}
