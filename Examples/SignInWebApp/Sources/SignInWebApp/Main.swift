// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import HummingbirdTLS
import MSALServer

/// A web application that signs its users in, shows their data from Microsoft Graph, and signs them out.
@main struct Main {
    static func main() async {
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            let tokens = try settings.application()
            let site = Site(settings, application: tokens, sessions: settings.sessions)
            let server = Application(
                router: site.router(),
                server: try settings.serverTLS().map { try .tls(.http1(), tlsConfiguration: $0) } ?? .http1(),
                configuration: ApplicationConfiguration(
                    address: .hostname("127.0.0.1", port: settings.port),
                    serverName: nil
                )
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let sharedCache = settings.sharedCache {
                    group.addTask { await sharedCache.run() }
                    try await sharedCache.prepare()
                }
                try await server.runService()
                // Tokens from the last requests may still have to be written.
                await tokens.shutDown(within: .seconds(10))
                group.cancelAll()
            }
        } catch {
            // The exit status shows the failure, too, if the message cannot be read.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
