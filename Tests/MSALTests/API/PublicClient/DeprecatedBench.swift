// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase
@testable import MSALCore

/// An application with one account, and the results that blocks of MSAL 0.x and 1.x receive.
struct DeprecatedBench {
    let bench: BadInputBench
    let amy: MSALAccount

    init() throws {
        bench = try BadInputBench()
        bench.setResponse()
        amy = try bench.application.account(forIdentifier: Contoso.homeAccountID)
    }

    /// The access token that a call of MSAL 0.x returns.
    func token(_ call: (@escaping @Sendable (MSALResult?, (any Error)?) -> Void) -> Void) async -> String? {
        await withCheckedContinuation { continuation in
            call { result, _ in continuation.resume(returning: result?.accessToken) }
        }
    }

    /// Code and detail of the error that a call of MSAL 0.x returns.
    func failure(_ call: (@escaping @Sendable (MSALResult?, (any Error)?) -> Void) -> Void) async -> [Int] {
        await withCheckedContinuation { continuation in
            call { _, error in
                let error = error as NSError?
                continuation.resume(returning: [error?.code, error?.detail].compactMap(\.self))
            }
        }
    }
}
