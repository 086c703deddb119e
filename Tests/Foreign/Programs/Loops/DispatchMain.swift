// Licensed under the MIT License. See LICENSE.

import Bench
import Dispatch
import MSAL

/// A program whose main thread hands itself over to Dispatch.
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
                Bench.pass()
            }
        }
        dispatchMain()
    }
}
