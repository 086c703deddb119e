// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// A server of tools: users read their notes with one scope, and write them with another.
@main struct Main {
    static func main() async throws {
        let settings = try Settings(ProcessInfo.processInfo.environment)
        let application = Application(
            router: try ToolServer(settings).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port))
        )
        try await application.runService()
    }
}
