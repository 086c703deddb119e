// Licensed under the MIT License. See LICENSE.

import Bench
import Dispatch
import MSAL

/// A program whose main thread calls `dispatchMain`.
@main struct DispatchMain {
    static func main() throws {
        let application = try Bench.application()
        let parameters = MSALInteractiveTokenParameters(scopes: Bench.scopes)
        application.acquireToken(with: parameters) { result, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            application.signout(with: result?.account, signoutParameters: MSALSignoutParameters()) { _, error in
                dispatchPrecondition(condition: .onQueue(.main))
                Bench.expect(error)
                refuse(application)
            }
        }
        dispatchMain()
    }

    /// An invalid parameter is reported immediately on the main queue, and from elsewhere on that queue, too.
    private static func refuse(_ application: MSALPublicClientApplication) {
        nonisolated(unsafe) var refusal: (any Error)?  // The block runs before the call returns.
        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["openid"])) { refusal = $1 }
        Bench.expect(refusal != nil, "a reserved scope is not rejected before the call returns")
        DispatchQueue.global().async {
            application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["openid"])) { _, error in
                dispatchPrecondition(condition: .onQueue(.main))
                Bench.expect(error != nil, "a reserved scope is accepted")
                Bench.pass()
            }
        }
    }
}
