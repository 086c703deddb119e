// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UIKit

@testable import GraphLegacy

@main struct Runner {
    static func main() {
        // What the storyboard connects in the app.
        let controller = ViewController()
        let text = UITextView()
        let button = UIButton()
        controller.loggingText = text
        controller.signoutButton = button
        controller.viewDidLoad()
        controller.viewWillAppear(false)

        let story = Story(
            name: "GraphLegacy",
            log: { text.text },
            callGraph: { controller.callGraphButton(UIButton()) },
            signOut: { controller.signoutButton(button) }
        )
        guard story.run() else { exit(1) }
        guard controller.currentAccount() == nil, !button.isEnabled else {
            print("GraphLegacy: an account is still there after signing out")
            exit(1)
        }
        print("GraphLegacy: signed out")
    }
}
