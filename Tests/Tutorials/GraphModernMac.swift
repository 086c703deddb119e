// Licensed under the MIT License. See LICENSE.

import AppKit
import Foundation

@testable import GraphModernMac

@main struct Runner {
    static func main() {
        let controller = ViewController()
        controller.viewDidLoad()
        let story = Story(
            name: "GraphModernMac",
            log: { controller.loggingText.string },
            callGraph: { controller.callGraphButton.performClick(nil) },
            signOut: { controller.signOutButton.performClick(nil) }
        )
        guard story.waitForAccount(), story.run(), story.wait(for: "Sign out completed successfully")
        else { exit(1) }
    }
}
