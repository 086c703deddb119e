// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Writes each step of the demo, and the reason for it.
struct Narrator {
    func step(_ title: String) { write("\n▸ \(title)") }
    func say(_ line: String) { write("  \(line)") }

    func show(_ text: String) { for line in text.split(separator: "\n") { write("    \(line)") } }

    /// Prints why the demo failed, with the correlation ID, and ends the program.
    static func fail(_ failure: any Error) -> Never {
        let error = failure as NSError
        let text =
            error.userInfo[MSALErrorDescriptionKey] as? String ?? (failure as? any LocalizedError)?.errorDescription
            ?? String(describing: failure)
        var lines = "\nThe demo failed: \(text)\n"
        if let id = error.userInfo[MSALCorrelationIDKey] { lines += "Correlation ID: \(id)\n" }
        write(lines, to: .standardError)
        exit(1)
    }

    /// Writes without buffering, so that each step is visible immediately.
    static func write(_ text: String, to file: FileHandle) {
        // A closed terminal cannot be written to. The demo continues, because it still has to clean up.
        try? file.write(contentsOf: Data(text.utf8))
    }

    private func write(_ line: String) { Self.write(line + "\n", to: .standardOutput) }
}
