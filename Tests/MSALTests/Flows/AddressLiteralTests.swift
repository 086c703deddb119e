// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Hosts that are IPv6 addresses, which URLs put in brackets (RFC 3986 §3.2.2).
struct AddressLiteralTests {
    @Test(arguments: ["[::1]:28443", "[::1]"])
    func `a token of an authority at an IPv6 address is renewed`(_ environment: String) async throws {
        var configuration = ClientConfiguration.bench
        let url = try #require(URL(string: "https://\(environment)/\(Contoso.tenant)"))
        configuration.authorityRules.configured = try .aad(url)
        let bench = ClientBench(configuration)
        try bench.seed(
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: Contoso.homeAccountID,
                    environment: environment,
                    clientID: Contoso.clientID,
                    secret: Secret("secret-refresh-token")
                )
            )
        )
        bench.service.append([.reply(.json(.object(Contoso.tokens(idToken: nil))))])

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.accessToken.exposed == "secret-new-access-token")
        let endpoint = "https://\(environment)/\(Contoso.tenant)/oauth2/v2.0/token"
        #expect(bench.service.tokenRequests.map(\.url.absoluteString) == [endpoint])
    }

    @Test(arguments: [
        ("https://[::1]:8443/me", "[::1]:8443"), ("https://[2001:db8::1]/me", "[2001:db8::1]"),
        ("https://API.contoso.example:443/me", "API.contoso.example"), ("http://127.0.0.1:80/me", "127.0.0.1"),
    ])
    func `a signed request names its host as the URL does`(_ address: String, _ host: String) throws {
        let request = SignedHTTPRequest(method: "GET", url: try #require(URL(string: address)), nonce: nil)

        let envelope = try request.envelope(
            of: Secret("secret-access-token"),
            by: SharedKeys.proof("app"),
            at: Date(timeIntervalSince1970: 0),
            freshNonce: "n-1"
        )

        let parts = envelope.exposed.split(separator: ".").map(String.init)
        let payload = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
        #expect(JSONValue(parsing: payload)?.object?["u"]?.string == host)
    }
}
