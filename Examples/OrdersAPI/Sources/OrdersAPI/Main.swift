// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALServer

/// An API with orders: users read theirs, applications read all, and a large order requires another sign-in.
@main struct Main {
    static func main() async {
        do {
            try await serve()
        } catch {
            // The text says what to do, and contains no secret.
            try? FileHandle.standardError.write(contentsOf: Data("\(error.localizedDescription)\n".utf8))
            // The exit status shows the failure, too, if the message cannot be read.
            exit(1)
        }
    }

    private static func serve() async throws {
        let settings = try Settings(ProcessInfo.processInfo.environment)
        let validator = try MSALTokenValidator(settings.validator)
        // The API is ready when it can validate tokens.
        try await validator.prepare()
        let application = Application(
            router: OrdersAPI(validator, stock: settings.stock).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)),
        )
        try await withThrowingTaskGroup { group in
            group.addTask { await validator.run() }
            try await application.runService()
            group.cancelAll()
        }
    }
}
