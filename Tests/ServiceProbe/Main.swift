// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// `ServiceProbe SCOPE`: gets a token twice with the settings in its environment, and prints its description and its
/// source.
///
/// The program depends only on `MSALServer`. `scripts/check-standalone` builds it as a separate package where SQLite
/// and D-Bus are not installed, and `Tests/Peers/service.py` runs it.
@main struct Main {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { stop("usage: ServiceProbe RESOURCE/.default") }
        do throws(MSALTokenError) {
            let credential = try MSALDefaultCredential()
            for _ in 1...2 {
                // The description does not contain the token.
                print(try await credential.token(for: CommandLine.arguments[1]))
            }
            print("served by \(credential.winner ?? "nobody")")
        } catch {
            stop(error.description)
        }
    }

    private static func stop(_ message: String) -> Never {
        // The exit status also indicates the failure, in case the message cannot be read.
        try? FileHandle.standardError.write(contentsOf: Data("ServiceProbe: \(message)\n".utf8))
        exit(1)
    }
}
