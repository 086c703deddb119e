// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport

/// An emulator in this process, for the duration of one test.
enum ServerEmulator {
    /// Starts an emulator, runs the test against it and stops it again.
    static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (Emulator) async throws -> Void
    ) async throws {
        var configuration = EmulatorConfiguration()
        // One certificate authority for all tests, because creating keys takes longer than the tests themselves.
        configuration.stateDirectory = TemporaryDirectory.shared.appending(path: "server-emulator")
        try FileManager.default.createDirectory(
            at: TemporaryDirectory.shared,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        change(&configuration)
        let emulator = try await Emulator.start(configuration)
        let result: Result<Void, any Error>
        do {
            try await body(emulator)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await emulator.shutdown()
        try result.get()
    }
}

extension ServerEnvironment {
    /// This machine with its files and sockets, and with the variables and the memory of one test.
    static func sockets(
        variables: [String: String] = [:],
        caFile: URL? = nil,
        time: any TimeSource = SystemTime()
    ) -> ServerEnvironment {
        let settings = caFile.map { HTTPSettings.trusting($0, adding: variables) }
        var environment = ServerEnvironment.double(
            variables: variables,
            time: time,
            files: SystemFiles(),
            transport: AsyncHTTPClientTransport(settings ?? HTTPSettings(environment: variables)),
            metadataTransport: SharedTransports.metadata
        )
        environment.random = { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        return environment
    }
}
