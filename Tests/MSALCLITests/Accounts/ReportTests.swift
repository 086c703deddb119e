// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import Testing

@testable import MSALBase
@testable import MSALCLI
@testable import MSALCore

struct ReportTests {
    private let account = AccountMembers(
        username: "megan@contoso.example",
        homeAccountId: "1.2",
        tenantId: "2",
        environment: "login.microsoftonline.com"
    )

    private func token(showsToken: Bool) -> TokenReport {
        TokenReport(
            account: account,
            scopes: ["User.Read"],
            expiresOn: Date(timeIntervalSince1970: 1_800_000_000),
            origin: TokenProvenance(
                source: "cache",
                reason: "the stored token is still valid",
                isPersisted: true,
                correlationId: "A"
            ),
            token: PrivateText("s3cret"),
            showsToken: showsToken
        )
    }

    @Test func `a token report in JSON does not contain the token`() {
        #expect(
            token(showsToken: false).json == """
                {
                  "account" : {
                    "environment" : "login.microsoftonline.com",
                    "home_account_id" : "1.2",
                    "tenant_id" : "2",
                    "username" : "megan@contoso.example"
                  },
                  "correlation_id" : "A",
                  "expires_on" : "2027-01-15T08:00:00Z",
                  "is_persisted" : true,
                  "scopes" : [
                    "User.Read"
                  ],
                  "source" : "cache",
                  "source_reason" : "the stored token is still valid",
                  "token_type" : "Bearer"
                }
                """
        )
    }

    @Test func `a token report contains the durations of the request with debug only`() {
        let result = MSALResult()
        let report = TokenReport(result, showsToken: false, isDebug: true)

        #expect(
            report.json.contains(
                """
                  "durations" : {
                    "network" : 0,
                    "store" : 0,
                    "total" : 0
                  },
                """
            )
        )
        #expect(!TokenReport(result, showsToken: false).json.contains("durations"))
    }

    @Test func `a token report in text does not contain the token`() {
        #expect(
            token(showsToken: false).text(.plain) == """
                Account  megan@contoso.example
                Scopes   User.Read
                Expires  2027-01-15T08:00:00Z
                Source   cache, the stored token is still valid
                Use --output raw to print the token.
                """
        )
    }

    @Test func `the token is written on request`() {
        #expect(token(showsToken: false).raw == "s3cret")
        #expect(token(showsToken: true).text(.plain).description.contains("Token    s3cret"))
        #expect(token(showsToken: true).json.contains(#""access_token" : "s3cret""#))
    }

    @Test func `a token that is printed by accident stays hidden`() {
        #expect(!"\(token(showsToken: true))".contains("s3cret"))
        #expect(!String(reflecting: token(showsToken: true)).contains("s3cret"))
    }

    @Test func `accounts are listed in three formats`() {
        let report = AccountsReport(accounts: [ListedAccount(account)])

        #expect(report.text(.plain) == "megan@contoso.example  login.microsoftonline.com, tenant 2")
        #expect(report.raw == "megan@contoso.example")
        #expect(AccountsReport(accounts: []).json == "{\n  \"accounts\" : [\n\n  ],\n  \"default_account\" : null\n}")
    }

    @Test func `accounts of the identity broker are marked, including those that are not in the store`() {
        var other = account
        (other.username, other.homeAccountId) = ("alex@contoso.example", "3.2")
        let report = AccountsReport(accounts: [
            ListedAccount(other, isBrokers: true, isSignedIn: false), ListedAccount(account, isBrokers: true),
        ])

        #expect(
            report.text(.plain) == """
                alex@contoso.example   login.microsoftonline.com, tenant 2, offered by the identity broker
                megan@contoso.example  login.microsoftonline.com, tenant 2, identity broker
                """
        )
        #expect(report.raw == "megan@contoso.example")
        #expect(
            AccountsReport(accounts: [ListedAccount(account, isBrokers: true)]).json == """
                {
                  "accounts" : [
                    {
                      "broker" : true,
                      "environment" : "login.microsoftonline.com",
                      "home_account_id" : "1.2",
                      "signed_in" : true,
                      "tenant_id" : "2",
                      "username" : "megan@contoso.example"
                    }
                  ],
                  "default_account" : null
                }
                """
        )
    }

    @Test func `the default account is marked, if there is one`() {
        var other = account
        (other.username, other.homeAccountId) = ("alex@contoso.example", "3.2")

        let report = AccountsReport(
            accounts: [ListedAccount(other), ListedAccount(account)],
            defaultAccount: account.homeAccountId
        )

        let lines = report.text(.plain).description.split(separator: "\n")
        #expect(lines.map { $0.prefix(7) } == ["  alex@", "* megan"])
        #expect(report.json.contains("\"default_account\" : \"\(account.homeAccountId)\""))
    }

    @Test func `colors are used only on terminals`() {
        #expect(Style.plain.problem("msal:") == "msal:")
        #expect(Style(isColored: true).problem("msal:") == "\u{1B}[31;1mmsal:\u{1B}[0m")
    }

    @Test func `a large clock difference is reported`() {
        let check = Checkup.clock(secondsAhead: 600)

        #expect(!check.isGood)
        #expect(check.finding == "this machine's is 600 s ahead of the authority's")
        #expect(Checkup.clock(secondsAhead: -300).isGood)
    }
}

struct GraphTests {
    private let graph = URL(string: "https://localhost:8443/")

    @Test(arguments: [
        ("/me", "https://localhost:8443/v1.0/me"),
        ("me?$top=5", "https://localhost:8443/v1.0/me?$top=5"),
        ("/v1.0/me", "https://localhost:8443/v1.0/me"),
        ("/beta/me", "https://localhost:8443/beta/me"),
        ("https://LOCALHOST:8443/v1.0/users?$skip=2", "https://LOCALHOST:8443/v1.0/users?$skip=2"),
    ])
    func `a path is below the address of Microsoft Graph`(path: String, address: String) throws {
        #expect(try GraphAddress.url(path, at: #require(graph)).absoluteString == address)
    }

    @Test(arguments: [
        "https://evil.example/me", "http://localhost:8443/me", "https://localhost/me", "https://a@localhost:8443/me",
    ])
    func `the token is not sent to any other address`(path: String) throws {
        let graph = try #require(graph)

        let failure = try #require(throws: Failure.self) { try GraphAddress.url(path, at: graph) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: [["--method", "GET", "--body", "{}"], ["--paginate", "--body", "{}"]])
    func `a body that would be ignored is rejected before anything is sent`(arguments: [String]) {
        #expect(throws: (any Error).self) { try GraphCommand.parse(["/me/events"] + arguments) }
        #expect(throws: Never.self) { try GraphCommand.parse(["/me/events", "--body", "{}"]) }
    }

    @Test(arguments: [
        ("https://graph.microsoft.com/", false), ("https://emulator.example:8443/", false),
        ("https://localhost:8443/", true), ("https://127.0.0.1:8443/", true),
    ])
    func `an unknown path is an error about the path, and on this machine about the emulator`(
        _ graph: String,
        isEmulator: Bool
    ) throws {
        let response = GraphResponse(
            GraphHTTPResponse(MSALAPIResponse(status: 404)),
            of: try #require(URL(string: graph))
        )

        let failure = try #require(throws: Failure.self) { try response.checked() }

        #expect(failure.status == .failed)
        #expect(failure.remedy?.contains("path") == true)
        #expect(failure.remedy?.contains("emulator") == isEmulator)
        // A list of its paths would be a duplicate that could become outdated.
        #expect(failure.remedy?.contains("/me") == false)
    }

    @Test(arguments: [101, 199, 300, 301, 302, 304, 307, 308, 399, 400, 500])
    func `only a success status is a success`(status: Int) throws {
        let reply = MSALAPIResponse(status: status, body: Data("{}".utf8))

        let failure = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(reply), of: try #require(graph)).checked()
        }

        #expect(failure.status == .failed)
        #expect(failure.message.contains("\(status)"))
    }

    /// The remedies of these statuses are about Graph's own responses.
    @Test(arguments: [400, 401, 403, 404, 500, 503])
    func `a page instead of an error is reported with a hint at a sign-in portal`(status: Int) throws {
        let reply = MSALAPIResponse(status: status, body: Data("<html>Sign in to the network</html>".utf8))

        let failure = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(reply), of: try #require(graph)).checked()
        }

        #expect(
            failure.message.contains(
                "the response is a web page or other text instead of JSON. A proxy or the network's sign-in portal"
            )
        )
        #expect(!failure.message.contains("html"))
        #expect(failure.remedy == nil)
    }

    @Test func `a redirect is reported without the secrets in its URL`() throws {
        let location = "https://user:pass@contoso.sharepoint.example/file.txt?tempauth=s3cret#s3cret"
        let reply = MSALAPIResponse(status: 302, headers: ["Location": location])

        let failure = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(reply), of: try #require(graph)).checked()
        }

        #expect(
            failure.message
                == "Microsoft Graph returned 302: it redirects to https://contoso.sharepoint.example/file.txt."
        )
        #expect(failure.remedy?.contains("not followed") == true)
    }

    @Test func `a rejected token requires a new sign-in`() throws {
        let body = #"{"error":{"code":"InvalidAuthenticationToken","message":"Access token has expired."}}"#
        let challenge = #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#
        let plain = MSALAPIResponse(status: 401, body: Data(body.utf8))
        let challenged = MSALAPIResponse(status: 401, headers: ["www-authenticate": challenge], body: Data(body.utf8))

        let first = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(plain), of: try #require(graph)).checked()
        }
        let second = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(challenged), of: try #require(graph)).checked()
        }

        #expect(first.status == .interactionRequired)
        #expect(first.message.hasSuffix("Access token has expired. (InvalidAuthenticationToken)"))
        #expect(second.message.hasPrefix("Microsoft Graph requires a new sign-in"))
        #expect(second.remedy == #"Run: msal login --claims '{"access_token":{}}'"#)
        #expect(second.claims == #"{"access_token":{}}"#)
    }

    @Test(arguments: [
        #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJ2YWx1ZSI6ImMxIn19fQ==""#,
        #"Bearer error="insufficient_claims", claims="{\"access_token\":{\"acrs\":{\"value\":\"c1\"}}}""#,
        #"PoP nonce="n", Bearer realm="", error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJ2YWx1ZSI6ImMxIn19fQ""#,
    ])
    func `a challenge of Microsoft Graph is resolved by one command`(_ challenge: String) throws {
        var command = SignInCommand(
            try ClientOptions.parse(["--client-id", "app"]),
            scopes: ["Mail.Read", "User.Read"]
        )
        command.loginHint = "megan@contoso.example"
        let reply = MSALAPIResponse(status: 401, headers: ["WWW-Authenticate": challenge])

        let failure = try #require(throws: Failure.self) {
            try GraphResponse(GraphHTTPResponse(reply), of: try #require(graph)).checked(RemedyContext(signIn: command))
        }

        #expect(failure.claims == #"{"access_token":{"acrs":{"value":"c1"}}}"#)
        #expect(
            failure.remedy == #"""
                Run: msal login --client-id app --scope 'Mail.Read User.Read' --login-hint megan@contoso.example \#
                --claims '{"access_token":{"acrs":{"value":"c1"}}}'
                """#
        )
    }

    @Test(arguments: [("text/plain", 1), ("text/plain; charset=utf-8", 1), ("application/json", 4), ("image/png", 4)])
    func `the raw format of plain text has no byte order mark`(type: String, count: Int) throws {
        let body = Data([0xEF, 0xBB, 0xBF, UInt8(ascii: "7")])
        let response = MSALAPIResponse(status: 200, headers: ["content-type": type], body: body)
        let answer = GraphResponse(GraphHTTPResponse(response), of: try #require(graph))

        #expect(answer.rawBytes == body.suffix(count))
    }

    @Test func `a response is shown in three formats`() throws {
        let answer = try GraphResponse(
            GraphHTTPResponse(MSALAPIResponse(status: 200, body: Data(#"{"b":1,"a":"x/y"}"#.utf8))),
            of: try #require(graph)
        ).checked()

        #expect(answer.raw == #"{"b":1,"a":"x/y"}"#)
        #expect(answer.text(.plain) == "{\n  \"b\" : 1,\n  \"a\" : \"x/y\"\n}")
        #expect(answer.json.contains("\"status\" : 200"))
    }
}
