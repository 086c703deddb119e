// Licensed under the MIT License. See LICENSE.

import Foundation

/// Starts the program that shows a page.
enum DeskBrowser {
    /// Starts it and does not wait for its end.
    static func open(_ address: String, with command: [String]) throws {
        let process = Process()
        // It looks the program up in PATH.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command + [address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }
}
