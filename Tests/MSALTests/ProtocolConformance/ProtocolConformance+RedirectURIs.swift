// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

extension ProtocolConformance {
    @Test(arguments: ConformanceFolder.shared.cases(of: .redirectURIs))
    func redirectURIs(_ testCase: ConformanceCase) throws {
        let runner = RedirectRunner(testCase: testCase)
        switch testCase.op {
        case "verify": try runner.verify()
        case "server-match": break  // The emulator's side: RedirectMatchingTests in its own test target runs these.
        case "loopback-request": try runner.loopbackRequest()
        default: failForUnknownOp(testCase)
        }
    }
}

private struct RedirectRunner {
    let testCase: ConformanceCase

    /// The outcome of the application's initializer.
    func verify() throws {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: testCase["clientId"]?.string ?? "",
            redirectUri: testCase["redirectUri"]?.string,
            authority: MSALAuthority.make(try authority())
        )
        configuration.bypassRedirectURIValidation = testCase["bypassRedirectURIValidation"] == .bool(true)
        do throws(AuthError) {
            let settings = try configuration.snapshot(
                applicationID: testCase["appId"]?.string,
                registeredSchemes: Set(testCase["registeredSchemes"]?.array?.compactMap(\.string) ?? [])
            )
            #expect(testCase.expected("error") == nil, "an error was expected")
            check("redirectUri", .string(settings.browser.redirectURI.text))
            check("brokerCapable", .bool(settings.browser.redirectURI.isBrokerCapable))
            check("kind", .string(name(settings.browser.redirectURI.kind)))
        } catch {
            testCase.check(error.nsError)
        }
    }

    private func name(_ kind: RedirectURI.Kind) -> String {
        switch kind {
        case .loopback: "loopback"
        case .scheme: "scheme"
        case .https: "https"
        }
    }

    private func authority() throws -> Authority {
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        switch testCase["authority"]?.string {
        case "aad-common": return try .aad(url("https://login.microsoftonline.com/common"))
        case "aad-organizations": return try .aad(url("https://login.microsoftonline.com/organizations"))
        case "aad-consumers": return try .aad(url("https://login.microsoftonline.com/consumers"))
        case "aad-tenant": return try .aad(url("https://login.microsoftonline.com/contoso.example"))
        case "b2c": return try .b2c(url("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_s"))
        case "ciam": return try .ciam(url("https://contoso.ciamlogin.com"))
        default: throw UnknownAuthority()
        }
    }

    private struct UnknownAuthority: Error {}

    /// One request to the receiver while it waits.
    func loopbackRequest() throws {
        let request = try #require(testCase["request"]?.object)
        let redirect = try #require(URL(string: testCase["redirectUri"]?.string ?? ""))
        let state = filled("<base64url(\(testCase["state"]?.string ?? ""))>")
        let visit = AuthorizationVisit(
            redirect: .loopback(host: redirect.host() ?? "", port: nil, path: redirect.path()),
            expectedState: state,
            responseMode: try #require(ResponseMode(rawValue: testCase["responseMode"]?.string ?? "")),
            url: { _ in redirect }
        )
        let session = LoopbackSession(visit: visit, startToken: "token")
        let response = session.response(
            to: LoopbackRules.Request(
                method: request["method"]?.string ?? "",
                target: filled(request["path"]?.string ?? ""),
                host: request["host"]?.string ?? "localhost:53211",
                contentType: request["contentType"]?.string,
                body: Data(filled(request["body"]?.string ?? "").utf8)
            ),
            port: 53211
        ) { .own }
        check("httpStatus", .integer(Int64(response.page.status)))
        if let absent = testCase.expected("bodyContainsAbsent")?.string {
            #expect(!response.page.html.contains(absent))
        }
        do throws(AuthError) {
            guard let end = response.end else { return check("flow", .string("waiting")) }
            let parameters: [String: String]
            switch end {
            case .success(let given): parameters = given
            case .failure(let error): throw AuthError(error)
            }
            check("code", .string(try code(in: parameters, expecting: state).exposed))
            check("flow", .string("code"))
        } catch {
            check("flow", .string("error"))
            testCase.check(error.nsError)
        }
    }

    private func code(in parameters: [String: String], expecting state: String) throws(AuthError) -> Secret {
        do throws(RedirectResponse.Failure) {
            return try RedirectResponse({ parameters[$0] }, expecting: state) { _ in true }.code
        } catch {
            throw AuthError(error)
        }
    }

    /// Replaces `<base64url(X)>` with the encoded form of X.
    private func filled(_ text: String) -> String {
        var text = text
        while let open = text.range(of: "<base64url("),
            let close = text.range(of: ")>", range: open.upperBound..<text.endIndex)
        {
            let value = Base64URL.encode(text[open.upperBound..<close.lowerBound].utf8)
            text.replaceSubrange(open.lowerBound..<close.upperBound, with: value)
        }
        return text
    }

    private func check(_ name: String, _ value: JSONValue) {
        guard let expected = testCase.expected(name) else { return }
        #expect(value == expected, "\(name)")
    }
}

extension ConformanceCase {
    /// Compares an error of the public API with the expected one.
    func check(_ error: NSError) {
        guard let expected = expected("error")?.object else {
            Issue.record("No error was expected, but: \(error)")
            return
        }
        #expect(error.domain == expected["domain"]?.string ?? MSALErrorDomain)
        if let code = expected["code"]?.double { #expect(Double(error.code) == code) }
        let detail = error.userInfo[MSALInternalErrorCodeKey] as? NSNumber
        if let code = expected["internal"]?.double { #expect(detail?.doubleValue == code) }
        if let text = expected["contains"]?.string {
            #expect((error.userInfo[MSALErrorDescriptionKey] as? String)?.contains(text) == true)
        }
    }
}
