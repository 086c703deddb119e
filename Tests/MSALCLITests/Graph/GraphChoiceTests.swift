// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCLI
@testable import MSALCore

/// Which Microsoft Graph receives the token.
struct GraphChoiceTests {
    private func url(_ named: String?, _ environment: String, published: String? = nil) async throws -> String {
        try await GraphChoice.url(named: named.flatMap { URL(string: $0) }, environment: environment) { published }
            .absoluteString
    }

    @Test(arguments: [
        ("login.windows.net", "https://graph.microsoft.com/"),
        ("contoso.ciamlogin.com", "https://graph.microsoft.com/"),
        ("contoso.b2clogin.com", "https://graph.microsoft.com/"),
        ("login.microsoftonline.us", "https://graph.microsoft.us/"),
        ("login.usgovcloudapi.net", "https://graph.microsoft.us/"),
        ("login.chinacloudapi.cn", "https://microsoftgraph.chinacloudapi.cn/"),
    ])
    func `a cloud has its own Graph even without metadata`(environment: String, graph: String) async throws {
        #expect(try await url(nil, environment) == graph)
        let failing = try await GraphChoice.url(named: nil, environment: environment) { throw CancellationError() }
        #expect(failing.absoluteString == graph)
    }

    @Test(arguments: [
        ("login.microsoftonline.us", "dod-graph.microsoft.us", "https://dod-graph.microsoft.us/"),
        ("login.sovcloud-identity.fr", "graph.example", "https://graph.example/"),
        ("id.contoso.example", "graph.microsoft.com", "https://graph.microsoft.com/"),
        ("localhost:8443", "localhost:8443", "https://localhost:8443/"),
        ("127.0.0.1:8443", "[::1]:8443", "https://[::1]:8443/"),
    ])
    func `the authority's metadata take precedence over the table`(
        environment: String,
        host: String,
        graph: String
    ) async throws {
        #expect(try await url(nil, environment, published: host) == graph)
    }

    @Test func `for a cloud with a known Graph the metadata are not requested`() async throws {
        let url = try await GraphChoice.url(named: nil, environment: "login.windows.net") {
            Issue.record("The metadata were requested.")
            return nil
        }

        #expect(url.absoluteString == "https://graph.microsoft.com/")
    }

    @Test func `the user's setting takes precedence, and the metadata are not requested`() async throws {
        let named = try #require(URL(string: "https://graph.contoso.example/"))

        let url = try await GraphChoice.url(named: named, environment: "login.windows.net") {
            Issue.record("The metadata were requested.")
            return nil
        }

        #expect(url == named)
    }

    @Test(arguments: [
        ("login.windows.net", "graph.microsoft.us"), ("login.microsoftonline.com", "dod-graph.microsoft.us"),
        ("login.microsoftonline.us", "graph.microsoft.com"), ("login.microsoftonline.us", "GRAPH.microsoft.com."),
        ("login.chinacloudapi.cn", "graph.microsoft.com:443"), ("contoso.ciamlogin.com", "graph.microsoft.us"),
        ("localhost:8443", "graph.microsoft.com"), ("127.0.0.1", "graph.contoso.example"),
        ("[::1]:8443", "graph.microsoft.com"),
    ])
    func `a token is not sent to another cloud, whatever the setting`(environment: String, host: String) async throws {
        let named = await #expect(throws: Failure.self) { try await url("https://\(host)/", environment) }
        #expect(named?.status == .usage)
        #expect(named?.remedy?.contains("Without --graph-url, MSAL_GRAPH_URL") == true)
        do {
            let published = try await url(nil, environment, published: host)
            #expect(!published.contains(host))
        } catch let failure as Failure {
            // A rejection is as good as another address. Its remedy does not name settings, as there are none.
            #expect(failure.remedy?.contains("the metadata of \(environment)") == true, "\(failure)")
        }
    }

    @Test(arguments: [
        ("login.windows.net", "attacker.example"), ("login.windows.net", "localhost:1234"),
        ("login.microsoftonline.us", "graph.microsoft.us.attacker.example"), ("id.contoso.example", "127.0.0.1"),
    ])
    func `metadata cannot name an arbitrary address, but the user can`(environment: String, host: String) async throws {
        let published = try? await url(nil, environment, published: host)
        #expect(published?.contains(host) != true)
        #expect(try await url("https://\(host)/", environment) == "https://\(host)/")
    }

    @Test(arguments: ["id.contoso.example", "localhost:8443", "login.sovcloud-identity.fr"])
    func `for an unknown cloud the error names the setting`(environment: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await url(nil, environment) }

        #expect(failure?.status == .usage)
        #expect(failure?.remedy?.contains("--graph-url") == true)
    }

    @Test(arguments: [
        "a b", "https://graph.microsoft.com", "graph.microsoft.com/x", "u@graph.microsoft.com", "", "x:y",
    ])
    func `metadata name a host or nothing`(host: String) throws {
        let document = """
            {"issuer": "https://a.example", "authorization_endpoint": "https://a.example/a",
             "token_endpoint": "https://a.example/t", "msgraph_host": "\(host)"}
            """

        #expect(try OpenIDConfiguration(parsing: Data(document.utf8)).graphHost == nil)
    }
}
