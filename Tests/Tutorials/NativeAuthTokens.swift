// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UIKit

@testable import NativeAuthTokens

@main struct Runner {
    static func main() throws {
        // What the storyboard and the earlier tutorials connect in the app.
        let controller = ViewController()
        let (email, password, text) = (UITextField(), UITextField(), UITextView())
        controller.emailTextField = email
        controller.passwordTextField = password
        controller.resultTextView = text
        controller.nativeAuth = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: MSALNativeAuthPublicClientApplicationConfig(
                clientId: "00000000-0000-4000-8000-000000000001",
                tenantSubdomain: "fabrikam",
                challengeTypes: [.OOB, .password]
            )
        )
        let story = Story(name: "NativeAuthTokens", log: { text.text }, callGraph: {}, signOut: {})

        email.text = "password@fabrikam.example"
        password.text = "Pa55-word!"
        controller.signInPressed(UIButton())
        guard story.wait(until: { controller.accountResult != nil }), !email.isEnabled else { exit(1) }

        let answered = "Accessed API successfully using access token."
        controller.protectedApi1Pressed(UIButton())
        guard story.wait(for: answered, refusing: ["Error", "Unsuccessful"]) else { exit(1) }
        controller.protectedApi2Pressed(UIButton())
        guard story.wait(for: answered, refusing: ["Error", "Unsuccessful"]),
            let first = controller.accessTokenAPI1, let second = controller.accessTokenAPI2, first != second
        else { exit(1) }

        // The app forgets a token; the library does not.
        controller.accessTokenAPI1 = nil
        controller.protectedApi1Pressed(UIButton())
        guard story.wait(until: { controller.accessTokenAPI1 == first }) else { exit(1) }
        print("NativeAuthTokens: two APIs called, the first again with the stored token")
        exit(0)
    }
}
