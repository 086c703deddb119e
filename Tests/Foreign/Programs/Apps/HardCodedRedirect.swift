// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app that uses the redirect URI of its registration for iOS, for which nothing is registered on this desktop.
@main struct HardCodedRedirect {
    static func main() throws {
        let configuration = try Bench.configuration()
        configuration.redirectUri = "msauth.com.contoso.app://auth"
        do {
            _ = try MSALPublicClientApplication(configuration: configuration)
            Bench.fail("a redirect URI without a receiver was accepted")
        } catch let error as NSError {
            let detail = error.userInfo[MSALInternalErrorCodeKey] as? Int
            Bench.expect(detail == MSALInternalError.internalErrorRedirectSchemeNotRegistered.rawValue, "\(error)")
            let text = error.userInfo[MSALErrorDescriptionKey] as? String ?? ""
            Bench.expect(text.contains("MSAL_REDIRECT_URI"), "the error does not name the variable: \(text)")
        }

        setenv("MSAL_REDIRECT_URI", "http://localhost", 1)
        let application = try MSALPublicClientApplication(configuration: configuration)
        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            Bench.expect(error)
            Bench.pass()
        }
        RunLoop.main.run()
    }
}
