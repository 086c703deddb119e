// Licensed under the MIT License. See LICENSE.

import Foundation
import UIKit

@testable import GraphModernIOS

@main struct Runner {
    static func main() {
        let controller = ViewController()
        controller.viewDidLoad()
        let story = Story(
            name: "GraphModernIOS",
            log: { controller.loggingText.text },
            callGraph: { controller.callGraphButton.sendActions(for: .touchUpInside) },
            signOut: { controller.signOutButton.sendActions(for: .touchUpInside) }
        )
        guard story.waitForAccount() else { exit(1) }
        // No property names the button "Get device info".
        controller.getDeviceMode(controller)
        let mode = Story.device == "shared" ? "shared" : "private"
        guard story.wait(for: "Device is in the \(mode) mode"), story.run(),
            story.wait(for: "Sign out completed successfully")
        else { exit(1) }
    }
}
