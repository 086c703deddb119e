// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALServer

/// A daemon that lists the users of a tenant with Microsoft Graph, as itself: no user signs in.
@main struct Main {
    static func main() async {
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            // One object for the life of the process, because its memory holds the tokens.
            let credential = try settings.credential()
            try await run(Graph(settings, credential: credential), every: settings.interval)
        } catch let error as MSALTokenError {
            // The text says what to do, and contains no secret.
            stop("\(error)")
        } catch {
            stop(error.localizedDescription)
        }
    }

    private static func run(_ graph: Graph, every interval: Duration?) async throws {
        while true {
            do {
                let users = try await graph.users()
                print("\(users.count) users: \(users.joined(separator: ", "))")
            } catch let error as MSALTokenError where error.isRetryable && interval != nil {
                // An outage is temporary. A daemon keeps running.
                print("No token in this round: \(error)")
            }
            guard let interval else { return }
            try await Task.sleep(for: interval)
        }
    }

    private static func stop(_ message: String) -> Never {
        // The exit status shows the failure, too, if the message cannot be read.
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
        exit(1)
    }
}
