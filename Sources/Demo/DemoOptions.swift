// Licensed under the MIT License. See LICENSE.

import Foundation

/// How the demo signs in.
struct DemoOptions {
    /// The scripted agent instead of a browser.
    let isHeadless: Bool
    /// A program that opens Chromium in a profile of its own: it gets the CA file and the address.
    let browser: String?

    /// - Throws: An error that tells the usage, for an argument it does not know.
    init(_ arguments: some Sequence<String>, _ environment: [String: String]) throws {
        var isHeadless = (environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"] ?? "").isEmpty
        for argument in arguments {
            switch argument {
            case "--headless": isHeadless = true
            case "--browser": isHeadless = false
            default:
                throw NSError(
                    domain: "Demo",
                    code: 2,
                    userInfo: [
                        NSLocalizedDescriptionKey: "unknown argument \(argument); usage: demo [--headless | --browser]"
                    ]
                )
            }
        }
        self.isHeadless = isHeadless
        browser = environment["MSAL_DEMO_BROWSER"]
    }
}
