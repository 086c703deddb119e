// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

@testable import MSAL

/// Bad input ends in the error of docs/reference/Errors.md, with a remedy in its message, and leaves the stored tokens
/// unchanged.
@Suite struct BadInputTests {
    @Test func `an unregistered client ID ends at the platform's error page`() async throws {
        try await EndToEndScenario.run(configure: { configuration, _ in configuration.clientId = "not-registered" }) {
            scenario in
            await #expect(throws: Failure.canceled) { try await Failure.catching { try await scenario.signIn() } }

            let page = scenario.emulator.journal.first { $0.path.hasSuffix("/authorize") }
            #expect(page?.status == 400)
        }
    }

    @Test func `a redirect URI that is not registered never receives a code`() async throws {
        try await EndToEndScenario.run(
            configure: { configuration, _ in configuration.redirectUri = "http://localhost/elsewhere" }
        ) { scenario in
            await #expect(throws: Failure.canceled) { try await Failure.catching { try await scenario.signIn() } }
        }
    }

    @Test func `an unknown tenant is reported as unknown`() async throws {
        try await EndToEndScenario.run(tenant: "nowhere.example") { scenario in
            await #expect(throws: Failure.detail(-42010)) { try await Failure.catching { try await scenario.signIn() } }
        }
    }

    @Test func `an untrusted certificate authority ends the call before anything is sent`() async throws {
        try await EndToEndScenario.run(configure: { configuration, _ in configuration.caFile = nil }) { scenario in
            let failure = Failure(domain: NSURLErrorDomain, code: -1202)
            await #expect(throws: failure) { try await Failure.catching { try await scenario.signIn() } }
            #expect(scenario.emulator.journal.isEmpty)
        }
    }

    @Test func `a CA file may have any name`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.url.appending(path: "José's 100% own")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "ca.pem")

        try await EndToEndScenario.run(configure: { configuration, emulator in
            try FileManager.default.copyItem(at: emulator.certificateAuthorityFile, to: file)
            configuration.caFile = file
        }) { scenario in
            let result = try await scenario.signIn()
            #expect(!result.accessToken.isEmpty)
        }
    }

    @Test func `an http authority is rejected`() throws {
        let address = try #require(URL(string: "http://localhost/common"))
        #expect(throws: Failure.detail(-42008)) {
            try Failure.catchingNow { try MSALAADAuthority(url: address) }
        }
    }

    @Test(arguments: [
        "<html>portal</html>", "{\"access_token\":", "[]", "{}", "\"text\"",
    ])
    func `an invalid token response stores nothing`(body: String) async throws {
        try await EndToEndScenario.run { scenario in
            scenario.emulator.enqueueFault(
                Fault(pathSuffix: "/token", status: 200, body: body)
            )
            let error = try await scenario.failure { try await scenario.signIn() }

            #expect(error.domain == MSALErrorDomain)
            #expect(error.code == -50000)
            #expect((error.userInfo[MSALErrorDescriptionKey] as? String)?.isEmpty == false)
            #expect(try scenario.application.allAccounts().isEmpty)
        }
    }

    @Test func `a failed renewal leaves the stored tokens unchanged`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn()
            // Twice, because the library retries once.
            for _ in 0..<2 {
                scenario.emulator.enqueueFault(Fault(pathSuffix: "/token", status: 503))
            }
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
            parameters.forceRefresh = true
            let error = try await scenario.failure {
                try await scenario.application.acquireTokenSilent(with: parameters)
            }
            #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "503")

            parameters.forceRefresh = false
            let held = try await scenario.application.acquireTokenSilent(with: parameters)
            #expect(held.accessToken == result.accessToken)
        }
    }

    @Test func `no error and no description contains a token`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn()
            let secrets = [result.accessToken, result.idToken ?? result.accessToken]

            for text in ["\(result)", String(reflecting: result), "\(result.account)", "\(scenario.application)"] {
                #expect(!secrets.contains { text.contains($0) })
            }
            for entry in scenario.emulator.journal {
                #expect(!secrets.contains { "\(entry)".contains($0) })
                #expect(!"\(entry)".contains(scenario.emulator.seed.password))
            }
        }
    }
}

extension EndToEndScenario {
    /// The error that `body` throws. Success fails the test.
    func failure<Value>(_ body: () async throws -> Value) async throws -> NSError {
        do {
            _ = try await body()
        } catch let error as NSError {
            return error
        }
        throw Failure(domain: "no error was thrown", code: 0)
    }
}

extension NSError {
    /// The message for people.
    var words: String { userInfo[MSALErrorDescriptionKey] as? String ?? "" }
}

extension Failure {
    static func catchingNow<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as NSError {
            throw Failure(
                domain: error.domain,
                code: error.code,
                detail: error.userInfo[MSALInternalErrorCodeKey] as? Int
            )
        }
    }
}
