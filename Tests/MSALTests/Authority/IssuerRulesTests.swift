// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCore

struct IssuerRulesTests {
    @Test(arguments: [
        "https://fakeb2clogin.com/t/v2.0",
        "https://b2clogin.com/t/v2.0",
        "https://contoso.b2clogin.com.evil.example/t/v2.0",
        "https://fakeciamlogin.com/t",
        "http://contoso.b2clogin.com/t/v2.0",
        "https://westus2.login.evil.com/t",
        "https://a.b.login.microsoft.com/t",
        "https://xlogin.microsoftonline.com/t",
        "https://login.microsoftonline.com.evil.example/t",
        "https://login.microsoftonline.com@evil.example/t",
        "https://login.microsoftonline.com:8443/t",
        "https://tenant.ciamlogin.com.evil.example/tenant/v2.0",
        "https://eastus.sign-in.example/t",
        "https://example/t",
        "https:///t",
        "not a url",
        "",
    ])
    func `an issuer that only looks similar is rejected`(_ issuer: String) throws {
        let b2c = try Authority.b2c(Authority.url("https://sign-in.example/tenant/policy"))
        let ciam = try Authority.ciam(Authority.url("https://sign-in.example/tenant"))

        #expect(!issuerIsAccepted(issuer, for: b2c, aliases: []))
        #expect(!issuerIsAccepted(issuer, for: ciam, aliases: []))
    }

    @Test(arguments: [
        "https://contoso.b2clogin.com/guid/v2.0/",
        "https://contoso.b2clogin.cn/guid",
        "https://guid.ciamlogin.com/guid/v2.0",
        "https://westus2.login.microsoft.com/guid",
        "https://SIGN-IN.example/else/",
    ])
    func `an issuer of the service or of the authority's own host is accepted`(_ issuer: String) throws {
        let b2c = try Authority.b2c(Authority.url("https://sign-in.example/tenant/policy"))

        #expect(issuerIsAccepted(issuer, for: b2c, aliases: []))
    }

    @Test func `the hosts of B2C issue tokens for no other kind`() throws {
        let aad = try Authority.aad(Authority.url("https://sign-in.example/tenant"))

        #expect(!issuerIsAccepted("https://contoso.b2clogin.com/tenant/v2.0", for: aad, aliases: []))
    }

    @Test func `a regional authority may have the global issuer, but not a top-level domain`() throws {
        let regional = try Authority.aad(Authority.url("https://westus.login.contoso.example/t"))

        #expect(issuerIsAccepted("https://login.contoso.example/t", for: regional, aliases: []))
        #expect(!issuerIsAccepted("https://example/t", for: regional, aliases: []))
    }

    @Test func `a token's issuer contains the token's own tenant`() throws {
        let common = Authority.default
        let configuration = try configuration(issuer: "https://login.microsoftonline.com/{tenantid}/v2.0")
        let issuer = "https://login.microsoftonline.com/tenant-1/v2.0"

        #expect(configuration.acceptsTokenIssuer(issuer, tid: "tenant-1", authority: common))
        #expect(!configuration.acceptsTokenIssuer(issuer, tid: "tenant-2", authority: common))
        #expect(!configuration.acceptsTokenIssuer(issuer, tid: nil, authority: common))
        #expect(!configuration.acceptsTokenIssuer(configuration.issuer, tid: nil, authority: common))
        #expect(!configuration.acceptsTokenIssuer(configuration.issuer, tid: "{tenantid}", authority: common))
    }

    @Test func `External ID tokens may be issued by the tenant's own host`() throws {
        let ciam = try Authority.ciam(Authority.url("https://sign-in.example/tenant"))
        let configuration = try configuration(issuer: "https://sign-in.example/tenant/v2.0")

        #expect(configuration.acceptsTokenIssuer("https://guid.ciamlogin.com/guid/v2.0", tid: "guid", authority: ciam))
        #expect(!configuration.acceptsTokenIssuer("https://fakeciamlogin.com/guid/v2.0", tid: "guid", authority: ciam))
        #expect(!configuration.acceptsTokenIssuer("http://guid.ciamlogin.com/guid", tid: "guid", authority: ciam))
    }

    @Test(arguments: [
        #"{"issuer":"https://h.example","token_endpoint":"https://h.example/t"}"#,
        #"{"issuer":1,"authorization_endpoint":"https://h.example/a","token_endpoint":"https://h.example/t"}"#,
        #"{"issuer":"https://h.example","authorization_endpoint":"http://h.example/a","token_endpoint":"https://h/t"}"#,
        "[]", "<html>", "",
    ])
    func `malformed metadata are rejected`(_ text: String) {
        #expect(throws: AuthorityError.self) { try OpenIDConfiguration(parsing: Data(text.utf8)) }
    }

    private func configuration(issuer: String) throws -> OpenIDConfiguration {
        try OpenIDConfiguration(
            parsing: Data(
                """
                {"issuer":"\(issuer)","authorization_endpoint":"https://h.example/a?p=1",
                 "token_endpoint":"https://h.example/t"}
                """.utf8
            )
        )
    }
}
