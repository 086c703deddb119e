// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALServer

/// A daemon that lists the users of a tenant with Microsoft Graph, as itself: no user signs in.
@main struct Main {
    static func main() async {
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            // One object for the life of the process. Its memory holds the tokens.
            let credential = try settings.credential()
            try await run(Graph(settings, credential: credential), every: settings.interval)
        } catch let error as MSALTokenError {
            // The text says what to do, and holds no secret.
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
                // An outage ends by itself. A daemon outlives it.
                print("No token this time: \(error)")
            }
            guard let interval else { return }
            try await Task.sleep(for: interval)
        }
    }

    private static func stop(_ message: String) -> Never {
        // The exit status says it too, if nobody can read the message.
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
        exit(1)
    }
}
