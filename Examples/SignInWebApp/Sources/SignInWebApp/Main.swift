// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import HummingbirdTLS
import MSALServer

/// A web application that signs its users in, shows what Microsoft Graph knows of them, and signs them out.
@main struct Main {
    static func main() async {
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            let site = Site(settings, application: try settings.application())
            let application = Application(
                router: site.router(),
                server: try settings.serverTLS().map { try .tls(.http1(), tlsConfiguration: $0) } ?? .http1(),
                configuration: ApplicationConfiguration(
                    address: .hostname("127.0.0.1", port: settings.baseURL.port ?? 443),
                    serverName: nil
                )
            )
            try await application.runService()
        } catch {
            // The exit status says it too, if nobody can read the message.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
