// Licensed under the MIT License. See LICENSE.

import MSAL

/// An app's own protocol that the library's class satisfies.
protocol Authenticating {
    func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
    )
}

extension MSALPublicClientApplication: Authenticating {}
