// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

struct SSOCookieCommandTests {
    private func report(hasHeaders: Bool = false) -> SSOCookieReport {
        SSOCookieReport(
            cookies: [.init(name: "x-ms-RefreshTokenCredential", value: PrivateText("s3cret"))],
            url: "https://login.microsoftonline.com/",
            hasHeaders: hasHeaders
        )
    }

    @Test func `a cookie is written as a cookie or as a header`() {
        #expect(report().raw == "x-ms-RefreshTokenCredential=s3cret")
        #expect(report().text(.plain).description == report().raw)
        #expect(report(hasHeaders: true).raw == "x-ms-RefreshTokenCredential: s3cret")
    }

    @Test func `JSON has name and value`() {
        #expect(
            report().json == """
                {
                  "cookies" : [
                    {
                      "name" : "x-ms-RefreshTokenCredential",
                      "value" : "s3cret"
                    }
                  ],
                  "url" : "https://login.microsoftonline.com/"
                }
                """
        )
    }

    @Test func `a cookie that is printed by accident stays hidden`() {
        #expect(!"\(report())".contains("s3cret"))
        #expect(!String(reflecting: report()).contains("s3cret"))
    }

    @Test(arguments: [
        ("https://login.microsoftonline.com/common", "https://login.microsoftonline.com/"),
        ("https://localhost:8443/contoso.example", "https://localhost:8443/"),
    ])
    func `the page is the authority's unless one is given`(authority: String, page: String) throws {
        #expect(SSOCookieCommand.page(of: try #require(URL(string: authority))) == page)
    }

    @Test func `headers cannot be combined with JSON`() {
        #expect(throws: (any Error).self) { try SSOCookieCommand.parse(["--header", "-o", "json"]) }
    }
}
