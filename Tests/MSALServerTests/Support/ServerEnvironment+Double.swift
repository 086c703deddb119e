// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport

extension ServerEnvironment {
    /// A machine without variables, files and network, except for the arguments. Random bytes are all 7, and there is
    /// no jitter.
    ///
    /// `transport` replaces production's sockets: transient errors are retried as `retryPolicy` says.
    static func double(
        variables: [String: String] = [:],
        time: any TimeSource = ManualTime(skipsSleeps: true),
        files: any ServerFiles = MemoryFiles(),
        transport: any HTTPTransport = ScriptedTransport([]),
        metadataTransport: any HTTPTransport = ScriptedTransport([]),
        retryPolicy: MSALServerRetryPolicy = MSALServerRetryPolicy(),
        commands: any ServerCommands = ScriptedCommands(),
        memory: ProcessMemory = ProcessMemory()
    ) -> ServerEnvironment {
        var options = MSALCredentialOptions()
        options.retryPolicy = retryPolicy
        let retries = options.retries
        var environment = ServerEnvironment(
            variables: variables,
            time: time,
            files: files,
            transport: RetryingTransport(base: transport, settings: { retries }, time: time),
            metadataTransport: metadataTransport,
            memory: memory
        )
        environment.random = { [UInt8](repeating: 7, count: $0) }
        environment.jitter = { _ in .zero }
        environment.commands = commands
        return environment
    }
}
