// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

struct ServiceLogTests {
    /// The lines that a logger received.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        var logger: Logger {
            var logger = Logger(label: "test") { _ in Handler(lines: self) }
            logger.logLevel = .trace
            return logger
        }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(lines: Lines) {
            self.lines = lines
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let id = event.metadata?["correlation-id"].map { " \($0)" } ?? ""
            lines.all.withLock { $0.append("\(event.level): \(event.message)\(id)") }
        }
    }

    private func application(_ lines: Lines, region: MSALRegion) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            authority: .tenant("contoso.example"),
            credential: .secret("s~ecret")
        )
        configuration.logger = lines.logger
        configuration.region = region
        let transport = ScriptedTransport(
            .failure(.cannotFindHost, to: "westus2."),
            .failure(.cannotFindHost, to: "westus2."),
            .json(#"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#)
        )
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(transport: transport)
        )
    }

    @Test func `a line is sent to the service's logger, with the id of its request and without secrets`() async throws {
        let lines = Lines()
        let application = try application(lines, region: .named("westus2"))
        var options = MSALTokenOptions()
        options.correlationID = UUID(uuidString: "00000000-0000-4000-8000-000000000007")

        _ = try await application.acquireTokenForClient(
            scopes: ["https://graph.microsoft.com/.default"],
            options: options
        )

        let all = lines.all.withLock { $0 }
        let line = try #require(all.first { $0.hasPrefix("warning: ") })
        #expect(line.contains("westus2.login.microsoft.com cannot be reached"))
        #expect(line.hasSuffix(" 00000000-0000-4000-8000-000000000007"))
        #expect(!all.contains { $0.contains("s~ecret") || $0.contains("a1") })
    }

    @Test func `a token from memory logs no line`() async throws {
        let lines = Lines()
        let application = try application(lines, region: .named("westus2"))
        _ = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
        lines.all.withLock { $0 = [] }

        _ = try await application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])

        #expect(lines.all.withLock { $0 } == [])
    }
}
