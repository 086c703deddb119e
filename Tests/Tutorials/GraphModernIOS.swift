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
        guard story.wait(for: "Account signed out"), story.run(), story.wait(for: "Sign out completed successfully")
        else { exit(1) }
    }
}
