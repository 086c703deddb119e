// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Writes each step of the demo, and the reason for it.
struct Narrator {
    func step(_ title: String) { write("\n▸ \(title)") }
    func say(_ line: String) { write("  \(line)") }

    func show(_ text: String) {
        for line in text.split(separator: "\n") { write("    \(line)") }
    }

    /// Says why the demo failed, with the correlation id, and ends the program.
    static func fail(_ failure: any Error) -> Never {
        let error = failure as NSError
        let text =
            error.userInfo[MSALErrorDescriptionKey] as? String ?? (failure as? any LocalizedError)?.errorDescription
            ?? String(describing: failure)
        var lines = "\nThe demo failed: \(text)\n"
        if let id = error.userInfo[MSALCorrelationIDKey] { lines += "Correlation id: \(id)\n" }
        write(lines, to: .standardError)
        exit(1)
    }

    /// Writes without a buffer, so that each step is seen when it happens.
    static func write(_ text: String, to file: FileHandle) {
        // A terminal that was closed takes no text. The demo goes on, because it still has to tidy up.
        try? file.write(contentsOf: Data(text.utf8))
    }

    private func write(_ line: String) { Self.write(line + "\n", to: .standardOutput) }
}
