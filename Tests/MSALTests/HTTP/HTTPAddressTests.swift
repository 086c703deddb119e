// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards
import Testing

@testable import MSALCore

/// Addresses from outside: settings, metadata, responses and links.
struct HTTPAddressTests {
    @Test(
        arguments: [
            "https://login.example", "https://login.example:443/path?query=1#part", "https://[::1]:8443/",
            "https://h:/x",
            "http://127.0.0.1:1/", "http://localhost:65535/x", "http://[::1]:8080/", "http://169.254.169.254/metadata",
        ]
    )
    func `a valid server address is accepted unchanged`(_ text: String) throws {
        #expect(HTTPAddress(text)?.url.absoluteString == text)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:65536/x", "port"), ("https://[::1]:65536/", "port"),
            ("https://login.example:0/", "port"),
            ("https://login.example:99999999999999999999/", "port"), ("https://10.0.0.1:70000", "port"),
            ("http://login.example/", "over https only"), ("ftp://login.example/", "over https only"),
            ("https://user@login.example/", "user"), ("https://user:password@login.example/", "user"),
            ("https:///path", "no host"), ("/path", "no scheme"),
        ]
    )
    func `an invalid server address is rejected with its fault`(_ text: String, fault: String) throws {
        // A text that is not a URL never becomes an address, so it needs no message.
        guard let url = URL(string: text) else { return #expect(HTTPAddress(text) == nil) }

        let failure = #expect(throws: TransportError.self) { try HTTPAddress(url) }

        #expect(failure?.kind == .badURL)
        #expect(failure?.message.contains(fault) == true)
        #expect(failure?.message.contains("password") == false)
    }

    @Test(
        arguments: [
            ("https://localhost:8443/common/a?code=1", "https://localhost:8443/common/a"),
            ("https://login.example:443/a", "https://login.example/a"),
            ("https://login.example:80", "https://login.example:80"),
            ("http://127.0.0.1:80/a", "http://127.0.0.1/a"), ("http://localhost:443/a", "http://localhost:443/a"),
            ("https://[::1]:8443/a", "https://[::1]:8443/a"), ("http://[::1]/a", "http://[::1]/a"),
            ("https://h:/x", "https://h/x"),
        ]
    )
    func `the log names the port of an address, unless it is the default`(_ text: String, line: String) throws {
        #expect(HTTPAddress(text)?.description == line)
    }

    @Test(arguments: ["kim@contoso.example", "kim%40contoso.example", "kim_x%23EXT%23@contoso.example", "a,b@c"])
    func `the log omits user names in a path`(name: String) throws {
        let address = HTTPAddress("https://graph.example/v1.0/users/\(name)/memberOf/")
        #expect(address?.description == "https://graph.example/v1.0/users/…/memberOf/")
    }

    @Test func `an address has a maximum length, and a built one has a larger maximum`() throws {
        let url = { (count: Int) in
            try #require(URL(string: "https://login.example/" + String(repeating: "a", count: count - 22)))
        }

        _ = try HTTPAddress(url(2_048))
        _ = try HTTPAddress(built: url(16_384))
        #expect(throws: TransportError.self) { try HTTPAddress(url(2_049)) }
        #expect(throws: TransportError.self) { try HTTPAddress(built: url(16_385)) }
    }

    @Test(
        arguments: [
            ("", true), (":", true), (":1", true), (":0443", true), (":65535", true), (":0", false), (":65536", false),
            (":99999999999999999999", false), (":+80", false), (":8x", false), (":٨٠", false),
        ]
    )
    func `the address of a request and the address of another server allow the same ports`(port: String, exists: Bool) {
        for host in ["login.example", "[::1]"] {
            let text = "https://\(host)\(port)/path:65536?query=:65536"

            #expect((HTTPAddress(text) != nil) == exists, "\(text)")
            #expect((ServerAddress(text) != nil) == exists, "\(text)")
        }
    }

    @Test(arguments: ["login.example", "login.example:65535", "127.0.0.1:65536", "[::1]:65536", "login.example:0"])
    func `a host in a document has a valid port`(_ environment: String) {
        #expect(
            AuthorityAddress.isEnvironment(environment) == !(environment.hasSuffix("6") || environment.hasSuffix(":0"))
        )
    }

    @Test func `a proxy with an invalid port is named`() throws {
        let rules = ProxyRules(environment: ["HTTPS_PROXY": "http://127.0.0.1:65536"])

        guard case .unusable(let reason) = rules.route(for: try #require(URL(string: "https://login.example/"))) else {
            Issue.record("The proxy was taken.")
            return
        }
        #expect(reason.contains("port"))
    }

    @Test func `metadata with an invalid port are rejected`() throws {
        let document = """
            {"issuer": "https://login.example", "authorization_endpoint": "https://login.example/a",
             "token_endpoint": "https://127.0.0.1:65536/t"}
            """

        let failure = #expect(throws: AuthorityError.self) { try OpenIDConfiguration(parsing: Data(document.utf8)) }

        #expect(failure?.message.contains("token_endpoint") == true)
    }

    private func metadata(_ member: String) -> Data {
        Data(
            """
            {"issuer": "https://login.example", "authorization_endpoint": "https://login.example/a",
             "token_endpoint": "https://login.example/t", "\(member)": "https://127.0.0.1:65536/x"}
            """.utf8
        )
    }

    @Test func `keys at an invalid port are rejected, and device codes there are not offered`() throws {
        let failure = #expect(throws: AuthorityError.self) { try OpenIDConfiguration(parsing: metadata("jwks_uri")) }
        #expect(failure?.message.contains("jwks_uri") == true)

        let configuration = try OpenIDConfiguration(parsing: metadata("device_authorization_endpoint"))
        #expect(configuration.deviceAuthorizationEndpoint == nil)
    }
}
