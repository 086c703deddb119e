// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCore

/// Parsing and rewriting beyond the conformance files.
struct AuthorityTests {
    @Test(arguments: [
        ("https://127.0.0.1:8443/t", "127.0.0.1:8443", true),
        ("https://127.8.9.1/t", "127.8.9.1", true),
        ("https://[::1]:8443/t", "[::1]:8443", true),
        ("https://LOCALHOST:443/t", "localhost", true),
        ("https://127.0.0.1.evil.example/t", "127.0.0.1.evil.example", false),
        ("https://localhost.evil.example/t", "localhost.evil.example", false),
        ("https://127.example/t", "127.example", false),
    ])
    func `a loopback host is known, a lookalike is not`(
        _ text: String,
        _ environment: String,
        _ isKnown: Bool
    ) throws {
        let authority = try Authority.aad(Authority.url(text))

        #expect(authority.environment == environment)
        #expect(AuthorityPolicy().isKnown(authority) == isKnown)
        #expect(AuthorityPolicy().validates(authority) != isKnown)
    }

    @Test func `user and password are removed`() throws {
        for authority in [
            try Authority.aad(Authority.url("https://megan:pw@sign-in.example/t")),
            try Authority.b2c(Authority.url("https://megan:pw@sign-in.example/t")),
        ] {
            #expect(authority.url.absoluteString == "https://sign-in.example/t")
        }
    }

    @Test(arguments: ["", " ", ".", ".."])
    func `a value that cannot be a tenant is rejected or changes nothing`(_ tenant: String) throws {
        #expect(throws: AuthorityError.self) { try Authority.aad(Authority.default.url, rawTenant: tenant) }
        #expect(Authority.default.replacingTenant(tenant) == .default)
    }

    @Test func `a tenant cannot escape its path segment`() {
        let authority = Authority.default.replacingTenant("../x?y#z")

        #expect(authority.url.absoluteString == "https://login.microsoftonline.com/..%2Fx%3Fy%23z")
    }

    @Test(arguments: [
        "evil.example/x", "a@login.microsoftonline.us", "login.microsoftonline.us?", "login.microsoftonline.us#", "",
    ])
    func `a cloud host with more than a host name is ignored`(_ host: String) {
        #expect(Authority.default.applyingCloudHost(host, discoveredNetworks: [host]) == .default)
    }

    @Test func `only an Entra ID authority follows its user to another cloud`() throws {
        let b2c = try Authority.b2c(Authority.url("https://contoso.b2clogin.com/t/p"))

        #expect(b2c.applyingCloudHost("login.microsoftonline.us", discoveredNetworks: []) == b2c)
    }

    @Test func `a silent request of a personal account does not go to organizations`() throws {
        let organizations = try Authority.aad(Authority.url("https://login.microsoftonline.com/organizations"))
        let consumers = try Authority.aad(Authority.url("https://login.microsoftonline.com/consumers"))
        let personal = Authority.personalTenantID

        #expect(organizations.silentAuthority(accountTenantID: personal, map: [:]) == organizations)
        #expect(consumers.silentAuthority(accountTenantID: personal, map: [:]).tenant == personal)
        #expect(Authority.default.silentAuthority(accountTenantID: nil, map: [:]) == .default)
    }

    @Test func `endpoints are below the authority, with or without a slash at its end`() throws {
        for text in ["https://sign-in.example/t", "https://sign-in.example/t/"] {
            let authority = try Authority.ciam(Authority.url(text))

            #expect(authority.endpoint(.token).absoluteString == "https://sign-in.example/t/oauth2/v2.0/token")
        }
    }

    @Test func `stored URLs are classified as B2C, AD FS or Entra ID`() throws {
        #expect(try Authority.stored(Authority.url("https://h.example/tfp/t/p")).kind == .b2c)
        #expect(try Authority.stored(Authority.url("https://h.example/adfs")).kind == .adfs)
        #expect(try Authority.stored(Authority.url("https://h.example/t")).kind == .aad)
        #expect(throws: AuthorityError.self) { try Authority.stored(Authority.url("http://h.example/t")) }
        #expect(throws: AuthorityError.self) { try Authority.stored(Authority.url("https://h.example/")) }
    }

    @Test func `equality compares kind and URL`() throws {
        let upper = try Authority.aad(Authority.url("https://H.example:443/t/more?x"))
        let plain = try Authority.aad(Authority.url("https://h.example/t"))
        let custom = try Authority.ciam(Authority.url("https://h.example/t"))

        #expect(upper == plain)
        #expect(plain != custom)
    }
}
