// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

/// Members whose type changed can be read as every release declared them.
struct EarlierTypesTests {
    @Test func `the expiry of a token is optional, and a nonoptional date for code of MSAL 0 and 1`() async throws {
        let bench = try BadInputBench()
        let parameters = MSALSilentTokenParameters(
            scopes: ["user.read"],
            account: try bench.application.account(forIdentifier: Contoso.homeAccountID)
        )
        let result = try await bench.application.acquireTokenSilent(with: parameters)

        let later = try #require(MSALCode.end(of: result))
        #expect(EarlierCode.end(of: result) == later)
        #expect(EarlierCode.seconds(of: result) == later.timeIntervalSince1970)
        #expect(!MSALCode.hasNoEnd(result))
    }

    @Test func `a result without a token has no expiry, which is a date long past for code of MSAL 0 and 1`() {
        #expect(MSALCode.hasNoEnd(MSALResult()))
        #expect(EarlierCode.end(of: MSALResult()) == .distantPast)
    }
}

/// As code for the current MSAL reads a result.
private enum MSALCode {
    static func end(of result: MSALResult) -> Date? {
        guard let end = result.expiresOn else { return nil }
        return result.expiresOn.map { max($0, end) } ?? result.expiresOn ?? end
    }

    static func hasNoEnd(_ result: MSALResult) -> Bool { result.expiresOn == nil }
}

/// As code for MSAL up to 1.1.15 reads a result.
private enum EarlierCode {
    static func end(of result: MSALResult) -> Date {
        let end: Date = result.expiresOn
        return end
    }

    static func seconds(of result: MSALResult) -> Double { result.expiresOn.timeIntervalSince1970 }
}
