// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Parameters cache what the first request derived from them, so each change has to invalidate it.
@Suite struct RepeatedParametersTests {
    @Test(arguments: Change.allCases)
    func `parameters that were used before make the same request as new ones`(change: Change) async throws {
        let used = try await outcome { bench in
            let parameters = try bench.parameters()
            for _ in 0..<2 { _ = try await bench.application.acquireTokenSilent(with: parameters) }
            try change.make(in: parameters)
            return parameters
        }
        let fresh = try await outcome { bench in
            _ = try await bench.application.acquireTokenSilent(with: try bench.parameters())
            let parameters = try bench.parameters()
            try change.make(in: parameters)
            return parameters
        }

        #expect(used == fresh)
        #expect((used == "cache") == change.keepsToken)
    }

    @Test func `after a change is undone, the token is found in memory again`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()
        let parameters = try bench.parameters()
        func source() async throws -> MSALTokenSource.Origin {
            try await bench.application.acquireTokenSilent(with: parameters).source.origin
        }
        _ = try await source()

        parameters.forceRefresh = true
        #expect(try await source() == .refresh)
        parameters.forceRefresh = false
        #expect(try await source() == .cache)
    }

    @Test func `a query parameter that is set after the first call is sent with the refresh`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()
        let parameters = try bench.parameters()
        _ = try await bench.application.acquireTokenSilent(with: parameters)

        parameters.extraQueryParameters = ["slice": "test"]
        bench.time.advance(by: .seconds(3400))
        let result = try await bench.application.acquireTokenSilent(with: parameters)

        #expect(result.source.origin == .refresh)
        #expect(bench.service.messages.last?.url.query() == "slice=test")
    }

    /// The source of the token for the parameters, or the failure.
    private func outcome(_ parameters: (BadInputBench) async throws -> MSALSilentTokenParameters) async throws -> String
    {
        let bench = try BadInputBench()
        bench.setResponse()
        do {
            let parameters = try await parameters(bench)
            return try await bench.application.acquireTokenSilent(with: parameters).source.origin.rawValue
        } catch {
            let error = error as NSError
            return "\(error.domain) \(error.code) \(error.userInfo[MSALInternalErrorCodeKey] ?? "")"
        }
    }

    /// What an app may change in the parameters.
    enum Change: String, CaseIterable, CustomTestStringConvertible {
        case nothing, bearer, queryParameters, correlationID
        case forceRefresh, otherScope, oneMoreScope, noAccount, authority, claims

        var testDescription: String { rawValue }

        /// Whether the token in memory still satisfies the request.
        var keepsToken: Bool {
            switch self {
            case .nothing, .bearer, .queryParameters, .correlationID: true
            case .forceRefresh, .otherScope, .oneMoreScope, .noAccount, .authority, .claims: false
            }
        }

        func make(in parameters: MSALSilentTokenParameters) throws {
            switch self {
            case .nothing: break
            case .bearer: parameters.authenticationScheme = MSALAuthenticationSchemeBearer()
            case .queryParameters: parameters.extraQueryParameters = ["slice": "test"]
            case .correlationID: parameters.correlationId = UUID()
            case .forceRefresh: parameters.forceRefresh = true
            case .otherScope: parameters.scopes = ["mail.read"]
            case .oneMoreScope: parameters.scopes.append("mail.read")
            case .noAccount: parameters.account = nil
            case .authority:
                let url = try #require(URL(string: "https://login.microsoftonline.com/fabrikam.com"))
                parameters.authority = try MSALAADAuthority(url: url)
            case .claims:
                let claims = MSALClaimsRequest()
                try claims.requestClaim(MSALIndividualClaimRequest(name: "nickname"), for: .idToken)
                parameters.claimsRequest = claims
            }
        }
    }
}

extension BadInputBench {
    /// The scopes of a stored token.
    fileprivate func parameters() throws -> MSALSilentTokenParameters {
        MSALSilentTokenParameters(
            scopes: ["user.read"],
            account: try application.account(forIdentifier: Contoso.homeAccountID)
        )
    }
}
