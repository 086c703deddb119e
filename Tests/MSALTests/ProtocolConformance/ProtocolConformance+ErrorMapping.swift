// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase

extension ProtocolConformance {
    @Test(arguments: ConformanceFolder.shared.cases(of: .errorMapping))
    func `error mapping`(_ testCase: ConformanceCase) async throws {
        let runner = ErrorRunner(testCase: testCase)
        let error: NSError?
        switch testCase.op {
        case "authorize": error = try await runner.authorize()
        case "token-interactive": error = try await runner.redeemCode(response: testCase.input.object ?? [:])
        case "token-silent": error = try await runner.redeemRefreshToken()
        case "http": error = try await runner.redeemCode(response: testCase.input.object ?? [:])
        case "network":
            error = try await runner.redeemCode(response: ["networkError": try #require(testCase["code"])])
        case "local": error = try await LocalSituations().error(in: testCase["situation"]?.string ?? "")
        default: return failForUnknownOp(testCase)
        }
        let failure = try #require(error, "An error was expected, but the call succeeded.")
        PublicErrorCheck.check(failure, testCase.output)
    }
}

/// Causes the errors of the service and the network, and returns them as an app receives them.
private struct ErrorRunner {
    let testCase: ConformanceCase

    /// The contents of the redirect. The client always sends a state, which a redirect for a request without one
    /// repeats.
    func authorize() async throws -> NSError? {
        let state = testCase["requestState"]?.string
        let agent = StubAgent { visit, _ in
            guard let state else { return parameters { $0 }.merging(["state": visit.expectedState]) { $1 } }
            // The case contains a placeholder for the state; the client created its own.
            return parameters { $0 == Base64URL.encode(Array(state.utf8)) ? visit.expectedState : $0 }
        }
        return await interactiveError(ClientBench(agent: agent))
    }

    /// The response is repeated for each request: the cases state the result after retries.
    func redeemCode(response members: [String: JSONValue]) async throws -> NSError? {
        let bench = ClientBench()
        bench.service.setLast(try #require(CaseResponse.read(members), "The runner cannot read the response."))
        return await interactiveError(bench)
    }

    func redeemRefreshToken() async throws -> NSError? {
        let bench = ClientBench()
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let response = CaseResponse.read(testCase.input.object ?? [:])
        bench.service.setLast(try #require(response, "The runner cannot read the response."))
        do throws(AuthError) {
            _ = try await bench.client.silent.acquire(Contoso.silent())
            return nil
        } catch {
            return error.nsError
        }
    }

    private func interactiveError(_ bench: ClientBench) async -> NSError? {
        do throws(AuthError) {
            _ = try await bench.client.interactive.acquire(Contoso.interactive())
            return nil
        } catch {
            return error.nsError
        }
    }

    /// The redirect's parameters, with `<base64url(X)>` computed and passed to `state`.
    private func parameters(state: (String) -> String) -> [String: String] {
        var parameters = testCase["params"]?.object?.compactMapValues(\.string) ?? [:]
        for (name, value) in parameters {
            guard value.hasPrefix("<base64url("), value.hasSuffix(")>") else { continue }
            let text = value.dropFirst("<base64url(".count).dropLast(2)
            parameters[name] = state(Base64URL.encode(Array(text.utf8)))
        }
        return parameters
    }
}

/// Mistakes and events on this machine, by their descriptions in the cases.
private struct LocalSituations {
    func error(in situation: String) async throws -> NSError? {
        switch situation {
        case "client id is blank":
            return await caught { _ = try application(clientID: "  ") }
        case "scopes contain openid":
            return await caught { _ = try await application().acquireToken(with: parameters(["openid"])) }
        case "second interactive session while one is running":
            return try await secondSession()
        case "user closes the browser view":
            return await interactiveError(ClientBench(agent: .failing(.canceled)))
        case "session cancelled by the app":
            return await canceledSession()
        case "current account requested with two accounts in cache":
            let bench = ClientBench()
            try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
            try bench.seed(Contoso.otherRefreshToken, Contoso.otherAccount)
            return await caught { _ = try await application(store: bench.store).currentAccount(with: nil) }
        case "signout with nil account":
            return await caught {
                _ = try await application().signout(with: nil, signoutParameters: MSALSignoutParameters())
            }
        case "signoutFromBrowser without web view parameters":
            return try await signOutWithoutWebview()
        case "claims in extra query parameters and in the claims request":
            return try await claimsTwice()
        case "accountForUsername with empty string":
            return await caught { _ = try application().account(forUsername: "") }
        default:
            Issue.record("The runner does not support the situation \(situation), which the exceptions list as known.")
            return nil
        }
    }

    private func secondSession() async throws -> NSError? {
        let time = ManualTime()
        let bench = ClientBench(time: time, agent: .waiting(time))
        async let first = interactiveError(bench)
        await time.untilSomebodySleeps()
        let second = await interactiveError(bench)
        #expect(bench.session.cancel())
        #expect(await first?.code == MSALError.userCanceled.rawValue)
        return second
    }

    private func canceledSession() async -> NSError? {
        let time = ManualTime()
        let bench = ClientBench(time: time, agent: .waiting(time))
        async let error = interactiveError(bench)
        await time.untilSomebodySleeps()
        #expect(bench.session.cancel())
        return await error
    }

    private func signOutWithoutWebview() async throws -> NSError? {
        let bench = ClientBench()
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let before = try Set(bench.records())
        let application = try application(store: bench.store)
        let account = try #require(try application.allAccounts().first)
        let parameters = MSALSignoutParameters()
        parameters.signoutFromBrowser = true
        let error = await caught { _ = try await application.signout(with: account, signoutParameters: parameters) }
        #expect(try Set(bench.records()) == before)
        return error
    }

    private func claimsTwice() async throws -> NSError? {
        let parameters = parameters(["user.read"])
        var failure: NSError?
        parameters.claimsRequest = MSALClaimsRequest(
            jsonString: #"{"access_token":{"nbf":{"essential":true}}}"#,
            error: &failure
        )
        #expect(failure == nil)
        parameters.extraQueryParameters = ["claims": "{}"]
        return await caught { _ = try await application().acquireToken(with: parameters) }
    }

    private func parameters(_ scopes: [String]) -> MSALInteractiveTokenParameters {
        MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
    }

    private func application(
        clientID: String = Contoso.clientID,
        store: any TokenStore = MemoryStore()
    ) throws -> MSALPublicClientApplication {
        try MSALPublicClientApplication(
            configuration: MSALPublicClientApplicationConfig(clientId: clientID),
            platform: ClientBench().platform,
            store: store,
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    private func caught(_ body: () async throws -> Void) async -> NSError? {
        do {
            try await body()
            return nil
        } catch {
            return error as NSError
        }
    }

    private func interactiveError(_ bench: ClientBench) async -> NSError? {
        do throws(AuthError) {
            _ = try await bench.client.interactive.acquire(Contoso.interactive())
            return nil
        } catch {
            return error.nsError
        }
    }
}

extension Contoso {
    /// A second person's records.
    static var otherRefreshToken: CacheRecord {
        .refreshToken(
            RefreshTokenRecord(
                homeAccountID: "user-2.\(tenant)",
                environment: environment,
                clientID: clientID,
                secret: Secret("secret-other")
            )
        )
    }

    static var otherAccount: CacheRecord {
        .account(
            AccountRecord(
                homeAccountID: "user-2.\(tenant)",
                environment: environment,
                realm: tenant,
                localAccountID: "user-2",
                username: "bob@contoso.example"
            )
        )
    }
}
