// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import ScriptedAgent
import Testing

/// The library with the platform over TLS: what an app sees.
@Suite struct SignInTests {
    @Test func `a user signs in, calls silently, is listed and signs out`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn()

            #expect(result.account.username == "megan@contoso.example")
            #expect(result.isIDTokenSignatureVerified)
            #expect(result.isPersisted)
            #expect(result.scopes.map { $0.lowercased() }.contains("user.read"))
            #expect(result.tenantProfile.tenantId == scenario.emulator.seed.tenantID)

            let before = scenario.emulator.journal.count
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
            let silent = try await scenario.application.acquireTokenSilent(with: parameters)
            #expect(silent.accessToken == result.accessToken)
            #expect(scenario.emulator.journal.count == before)

            #expect(try scenario.application.allAccounts().map(\.username) == ["megan@contoso.example"])
            let (current, _) = try await scenario.application.currentAccount(with: nil)
            #expect(current?.identifier == result.account.identifier)

            let signOut = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
            #expect(try await scenario.application.signout(with: result.account, signoutParameters: signOut))
            #expect(try scenario.application.allAccounts().isEmpty)
            await #expect(throws: Failure.interactionRequired) {
                try await Failure.catching { try await scenario.application.acquireTokenSilent(with: parameters) }
            }
        }
    }

    @Test func `an expired token is renewed without the user`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn()

            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
            parameters.forceRefresh = true
            let renewed = try await scenario.application.acquireTokenSilent(with: parameters)

            #expect(renewed.accessToken != result.accessToken)
            #expect(renewed.account.identifier == result.account.identifier)
        }
    }

    @Test func `a second API gets a separate token from the same sign-in`() async throws {
        try await EndToEndScenario.run { scenario in
            let scope = scenario.emulator.seed.toDoReadScope
            let first = try await scenario.signIn([scope])
            let parameters = MSALSilentTokenParameters(scopes: [scope], account: first.account)

            let held = try await scenario.application.acquireTokenSilent(with: parameters)

            #expect(held.accessToken == first.accessToken)
            #expect(first.scopes == [scope])
        }
    }

    @Test func `a user who declines consent causes the cancellation error`() async throws {
        try await EndToEndScenario.run { scenario in
            await #expect(throws: Failure.canceled) {
                try await Failure.catching { try await scenario.signIn(consent: .cancel) }
            }
            let accounts = try scenario.application.allAccounts()
            #expect(accounts.isEmpty)
        }
    }

    @Test func `a wrong password never results in a sign-in`() async throws {
        try await EndToEndScenario.run { scenario in
            await #expect(throws: Failure.canceled) {
                try await Failure.catching { try await scenario.signIn(password: "wrong") }
            }
            let accounts = try scenario.application.allAccounts()
            #expect(accounts.isEmpty)
        }
    }

    @Test func `a guest of another tenant gets a profile there under the same account`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn(as: scenario.emulator.seed.guest.userPrincipalName)

            #expect(result.tenantProfile.tenantId == scenario.emulator.seed.tenantID)
            #expect(result.account.identifier?.hasSuffix(scenario.emulator.seed.externalTenantID) == true)
            #expect(!result.tenantProfile.isHomeTenantProfile)
        }
    }

    @Test func `a personal account signs in at common`() async throws {
        try await EndToEndScenario.run(tenant: "common") { scenario in
            let result = try await scenario.signIn(as: scenario.emulator.seed.dana.userPrincipalName)

            #expect(result.account.identifier?.hasSuffix("9188040d-6c67-4c5b-b112-36a304b66dad") == true)
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
            #expect(
                try await scenario.application.acquireTokenSilent(with: parameters).accessToken == result.accessToken
            )
        }
    }
}

/// The members of a public error that an app compares.
struct Failure: Error, Equatable {
    let domain: String
    let code: Int
    var detail: Int?

    static let interactionRequired = Failure(domain: MSALErrorDomain, code: -50002)
    static let canceled = Failure(domain: MSALErrorDomain, code: -50005)

    static func detail(_ detail: Int) -> Failure { Failure(domain: MSALErrorDomain, code: -50000, detail: detail) }

    /// Runs `body` and throws its error as a comparable value. Any error that is not an `NSError` of the API fails the
    /// test.
    static func catching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as NSError {
            let detail = error.userInfo[MSALInternalErrorCodeKey] as? Int
            throw Failure(domain: error.domain, code: error.code, detail: detail)
        }
    }
}
