// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app that names the redirect URI of its registration for iOS, which nothing on this desktop knows.
@main struct HardCodedRedirect {
    static func main() throws {
        let configuration = try Bench.configuration()
        configuration.redirectUri = "msauth.com.contoso.app://auth"
        do {
            _ = try MSALPublicClientApplication(configuration: configuration)
            Bench.fail("a redirect URI that nothing receives was accepted")
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
