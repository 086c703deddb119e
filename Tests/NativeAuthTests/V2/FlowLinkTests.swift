// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALCore

@Suite("Links of native authentication V2")
struct FlowLinkTests {
    static let base = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"

    private static func authority(_ text: String = base) throws -> Authority {
        try Authority.ciam(try #require(URL(string: text)))
    }

    @Test(arguments: [
        ("/contoso.onmicrosoft.com/api/v2.0/signin/start", "/api/v2.0/signin/start"),
        ("/other.onmicrosoft.com/api/v2.0/signin/start", "/api/v2.0/signin/start"),
        ("/22222222-2222-4222-8222-222222222222/api/v2.0/x", "/api/v2.0/x"),
        ("/{tenant}/api/v2.0/x", "/api/v2.0/x"),
        ("/api/v2.0/x", "/api/v2.0/x"),
        ("api/v2.0/x", "/api/v2.0/x"),
        ("contoso.onmicrosoft.com/oauth2/v2.0/authorize-challenge", "/oauth2/v2.0/authorize-challenge"),
        ("  /api/v2.0/x ", "/api/v2.0/x"),
        ("/api/v2.0/x/", "/api/v2.0/x/"),
        ("/api/v2.0/x?flow=a%2Fb&n=//..", "/api/v2.0/x?flow=a%2Fb&n=//.."),
        ("/t/api/v2.0/api/x", "/api/v2.0/api/x"),
        ("https://contoso.ciamlogin.com/t/api/v2.0/x?a=b", "/api/v2.0/x?a=b"),
        ("HTTPS://Contoso.CIAMlogin.com:443/t/api/v2.0/x", "/api/v2.0/x"),
        ("https://contoso.ciamlogin.com/api/v2.0/x", "/api/v2.0/x"),
        ("/api/v2.0/a%20b/c:d@e", "/api/v2.0/a%20b/c:d@e"),
    ])
    func `a link leads below the authority's tenant`(_ text: String, path: String) throws {
        let link = try #require(FlowLink(text, below: try Self.authority()))

        #expect(link.url.absoluteString == Self.base + path)
    }

    @Test(arguments: [
        "", "   ", "/", "/api", "api", "?api", "/t/x/api/v2.0/y", "/t/other/v2.0/x", "//evil.example/api/v2.0/x",
        "https://evil.example/t/api/v2.0/x", "http://contoso.ciamlogin.com/t/api/v2.0/x",
        "https://contoso.ciamlogin.com:8443/t/api/v2.0/x", "https://contoso.ciamlogin.com:/t/api/v2.0/x",
        "https://lee@contoso.ciamlogin.com/t/api/v2.0/x", "https://lee:pw@contoso.ciamlogin.com/t/api/v2.0/x",
        "https://contoso.ciamlogin.com.evil.example/t/api/v2.0/x",
        "https://contoso.ciamlogin.com@evil.example/api/v2.0/x",
        "https:/t/api/v2.0/x", "https:api/v2.0/x", "file:///api/v2.0/x", "javascript:/api/v2.0/x",
        "https://contoso.ciamlogin.com//api/v2.0/x", "https://contoso.ciamlogin.com",
        "/t/api/../../other/api/v2.0/x", "/../api/v2.0/x", "/t/api/./x", "/t/api/%2e%2e/x", "/t/api/%2E./x", "/./api/x",
        "/t/api/..%2Fx", "/t/api/a%2F..%2Fb", "/t/api/..%5Cx", "/t/api//x", "/t/api/x/..", "/t/api/x/.",
        "/t/api/v2.0\\x", "/t/api/v2.0/x#y", "/t/api/v2.0/x y", "/t/api/v2.0/\nx", "/t/api/v2.0/x\r\nHost: evil",
        "/t/api/v2.0/%0a", "/t/api/v2.0/%00x", "/t/api/v2.0/%zz", "/t/api/v2.0/\u{7F}", "/t/api/v2.0/ä",
        "/{tenant}/{x}/api/v2.0", "/{x}/api/v2.0/x", "/api/{tenant}/x", "/api/v2.0/x?a={tenant}", "/t/API/v2.0/x",
        "/t/api/v2.0/\"x\"", "/t/api/v2.0/<x>",
    ])
    func `a link to another origin or tenant is rejected`(_ text: String) throws {
        #expect(FlowLink(text, below: try Self.authority()) == nil)
    }

    @Test func `the port of an authority belongs to its origin`() throws {
        let authority = try Self.authority("https://127.0.0.1:8443/fabrikam")

        #expect(
            FlowLink("https://127.0.0.1:8443/fabrikam/api/v2.0/x", below: authority)?.url.absoluteString
                == "https://127.0.0.1:8443/fabrikam/api/v2.0/x"
        )
        #expect(FlowLink("https://127.0.0.1/fabrikam/api/v2.0/x", below: authority) == nil)
        #expect(FlowLink("https://localhost:8443/fabrikam/api/v2.0/x", below: authority) == nil)
    }
}
