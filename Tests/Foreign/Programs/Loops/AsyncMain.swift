// Licensed under the MIT License. See LICENSE.

import Bench
import Dispatch
import MSAL

/// A program with an asynchronous `main` that calls a method with a block: the main queue is served while it waits.
@main struct AsyncMain {
    static func main() async throws {
        let application = try Bench.application()
        let account = await withCheckedContinuation { done in
            application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { result, error in
                dispatchPrecondition(condition: .onQueue(.main))
                Bench.expect(error)
                done.resume(returning: result?.account)
            }
        }
        await withCheckedContinuation { done in
            application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, error in
                dispatchPrecondition(condition: .onQueue(.main))
                Bench.expect(error)
                done.resume()
            }
        }
        Bench.pass()
    }
}
