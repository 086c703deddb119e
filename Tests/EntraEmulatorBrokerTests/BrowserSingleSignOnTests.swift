// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import EntraEmulatorBroker

/// A broker's cookie on the sign-in page.
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct BrowserSingleSignOnTests {
    @Test(arguments: [true, false])
    func `the cookie signs a browser in without a page`(_ isHeader: Bool) async throws {
        try await Desktop.with { desktop in
            _ = try await desktop.interactively(account: desktop.accounts().first)
            let cookie = try await Self.cookie(of: desktop)
            let response = try await Self.authorize(desktop, cookie: cookie, isHeader: isHeader)

            #expect(response.status == 302)
            #expect(response.location.hasPrefix("http://localhost?code=") || response.location.contains("/?code="))
        }
    }

    @Test func `an old cookie gets a nonce, and a cookie with the nonce is good once`() async throws {
        try await Desktop.with { desktop in
            _ = try await desktop.interactively(account: desktop.accounts().first)
            let old = try await Self.cookie(of: desktop)
            await desktop.emulator.advanceClock(by: .seconds(600))
            let refused = try await Self.authorize(desktop, cookie: old)
            let url = try #require(URLComponents(string: refused.location))
            let nonce = try #require(url.queryItems?.first { $0.name == "sso_nonce" }?.value)
            let fresh = try await Self.cookie(of: desktop, nonce: nonce)
            let first = try await Self.authorize(desktop, cookie: fresh, nonce: nonce)
            let second = try await Self.authorize(desktop, cookie: fresh, nonce: nonce)

            #expect(refused.status == 302)
            #expect(first.location.contains("code="))
            #expect(second.status == 200)
        }
    }

    @Test func `a cookie that is wrong, foreign or of an ended sign-in shows the usual page`() async throws {
        try await Desktop.with { desktop in
            let good = try await Self.cookie(of: desktop)
            let parts = good.split(separator: ".").map(String.init)
            let unsigned = "\(parts[0]).\(parts[1])."
            let otherHeader = Data(#"{"alg":"none"}"#.utf8).base64URL
            let foreign = try await Desktop.with { try await Self.cookie(of: $0) }
            let other = try await desktop.emulator.signInToDevice(as: "megan@contoso.example", hasSecondFactor: false)
            let id = try #require(other?.id)
            let forApp = try desktop.emulator.deviceCredential(of: id, for: desktop.emulator.seed.clientID) ?? ""
            desktop.broker.signOut()
            let useless = [
                "", "no token", "a.b.c", unsigned, "\(otherHeader).\(parts[1]).", foreign, forApp, good,
                String(repeating: "e", count: 4_000),
            ]
            for (index, cookie) in useless.enumerated() {
                let response = try await Self.authorize(desktop, cookie: cookie)
                #expect(response.status == 200, "number \(index)")
            }
        }
    }

    @Test func `a browser's cookie cannot be used to get an app's tokens`() async throws {
        try await Desktop.with { desktop in
            _ = try await desktop.interactively(account: desktop.accounts().first)
            let service = try TokenService(desktop.emulator)
            let request = try BrokerRequest(
                .acquireTokenSilently,
                correlationID: "",
                text: desktop.tokenRequest(nil).text
            ).tokenRequest()
            let cookie = try await Self.cookie(of: desktop)
            do throws(BrokerRefusal) {
                _ = try await service.tokens(request, credential: cookie, confirmation: nil, correlationID: "")
                Issue.record("The cookie gave tokens.")
            } catch {
                #expect(error.context.contains("AADSTS70000"))
            }
        }
    }

    @Test func `the page at the end of native sign-ins issues no tokens`() async throws {
        try await Desktop.with { desktop in
            let address = "\(desktop.emulator.baseURL.absoluteString)/common/oauth2/nativeclient?code=x"
            let response = try await Self.get(desktop, address: address)

            #expect(response.status == 200)
            #expect(response.text.contains("You may close this window"))
        }
    }

    // MARK: Requests

    private static func cookie(of desktop: Desktop, nonce: String? = nil) async throws -> String {
        let account = try #require(try await desktop.accounts().first)
        let url = "https://login.microsoftonline.com/" + (nonce.map { "?sso_nonce=\($0)" } ?? "")
        let response = try await desktop.ask(.acquirePrtSsoCookie, ["account": account, "ssoUrl": .string(url)])
        return try #require(response["cookieItems"]?.array?.first?["cookieContent"]?.nonEmptyString)
    }

    private struct Page {
        let status: Int
        let location: String
        let text: String
    }

    private static func authorize(
        _ desktop: Desktop,
        cookie: String,
        isHeader: Bool = true,
        nonce: String? = nil
    ) async throws -> Page {
        let seed = desktop.emulator.seed
        var query = [
            ("client_id", seed.clientID), ("response_type", "code"), ("redirect_uri", "http://localhost"),
            ("scope", "openid profile User.Read"), ("code_challenge_method", "S256"),
            ("code_challenge", String(repeating: "c", count: 43)),
        ]
        if let nonce { query.append(("sso_nonce", nonce)) }
        let base = "\(desktop.emulator.baseURL.absoluteString)/\(seed.tenantID)/oauth2/v2.0/authorize"
        return try await get(
            desktop,
            address: "\(base)?\(FormValues.encode(query))",
            headers: isHeader
                ? [("x-ms-RefreshTokenCredential", cookie)] : [("Cookie", "x-ms-RefreshTokenCredential=\(cookie)")]
        )
    }

    private static func get(
        _ desktop: Desktop,
        address: String,
        headers: [(String, String)] = []
    ) async throws -> Page {
        var tls = TLSConfiguration.makeClientConfiguration()
        let file = desktop.emulator.certificateAuthorityFile.path(percentEncoded: false)
        tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: address)
            for (name, value) in headers { request.headers.add(name: name, value: value) }
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            return Page(
                status: Int(response.status.code),
                location: response.headers.first(name: "Location") ?? "",
                text: String(buffer: body)
            )
        }
    }
}
