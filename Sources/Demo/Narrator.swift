// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Says what happens, and why.
struct Narrator {
    func step(_ title: String) { write("\n▸ \(title)") }
    func say(_ line: String) { write("  \(line)") }

    func show(_ text: String) {
        for line in text.split(separator: "\n") { write("    \(line)") }
    }

    /// What went wrong, and the correlation id; ends the program.
    static func fail(_ failure: any Error) -> Never {
        let error = failure as NSError
        let text =
            error.userInfo[MSALErrorDescriptionKey] as? String ?? (failure as? any LocalizedError)?.errorDescription
            ?? String(describing: failure)
        var lines = "\nThe demo failed: \(text)\n"
        if let id = error.userInfo[MSALCorrelationIDKey] { lines += "Correlation id: \(id)\n" }
        FileHandle.standardError.write(Data(lines.utf8))
        exit(1)
    }

    private func write(_ line: String) {
        // Not buffered: who watches the demo sees each step when it happens.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
