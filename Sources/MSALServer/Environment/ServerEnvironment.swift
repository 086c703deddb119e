// Licensed under the MIT License. See LICENSE.

import Foundation
package import Logging
package import MSALBase
package import MSALCore

/// Everything outside the process that this library looks at. A test replaces each part.
///
/// Its description shows nothing, because variables hold secrets.
package struct ServerEnvironment: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The variables in `readVariables`, as they were when the application object was made.
    package var variables: [String: String]
    /// Reads all variables of the process, for the programs that it starts. Nothing keeps them.
    package private(set) var allVariables: @Sendable () -> [String: String]
    package var time: any TimeSource
    /// Returns the number of random bytes asked for.
    package var random: @Sendable (Int) -> [UInt8] = [UInt8].random
    /// Returns a random time between zero and the limit.
    package var jitter: @Sendable (Duration) -> Duration = { limit in
        .seconds(Double.random(in: 0...1) * Double(limit.components.seconds))
    }
    package var files: any ServerFiles
    /// Carries requests to the service, through a proxy where the variables name one.
    package var transport: any HTTPTransport
    /// Carries requests to this machine's own metadata services. It uses no proxy.
    package var metadataTransport: any HTTPTransport
    /// Carries requests to the one server with this certificate.
    package var pinnedTransport: @Sendable (CertificateThumbprint) -> any HTTPTransport = { thumbprint in
        PinnedTransport(thumbprint: thumbprint)
    }
    /// The folder in which the agent of Azure Arc puts the files of its challenges.
    package var arcTokenFolder = "/var/opt/azcmagent/tokens"
    /// Runs the command lines that give tokens.
    package var commands: any ServerCommands = SystemCommands()
    /// The memory that all application objects of the process share.
    package var memory: ProcessMemory
    /// The logger that gets the lines of the log: ``logged(as:_:)``.
    package var logger = Logger(label: "msal")
    /// The time that a request to the service may take with all its repetitions. ``transport`` enforces it.
    package var requestTimeout = MSALCredentialOptions().requestTimeout
    /// Reads the metadata and the signing keys of authorities, and keeps them.
    package var authorities: AuthorityResolver
    /// The place to which the metrics and spans of one object go.
    package var instruments = Instruments.none
    /// The background work of one object's calls.
    package var background = BackgroundWork()

    package init(
        variables: [String: String],
        time: any TimeSource,
        files: any ServerFiles,
        transport: any HTTPTransport,
        metadataTransport: any HTTPTransport,
        memory: ProcessMemory,
        authorities: AuthorityResolver? = nil
    ) {
        self.variables = variables.filter { Self.readVariables.contains($0.key) }
        allVariables = { variables }
        self.time = time
        self.files = files
        self.transport = transport
        self.metadataTransport = metadataTransport
        self.memory = memory
        self.authorities = authorities ?? AuthorityResolver(transport: transport, time: time)
    }

    package var description: String { "ServerEnvironment" }

    /// A variable of `readVariables`; `nil` if it is absent or empty.
    package func variable(_ name: String) -> String? {
        assert(Self.readVariables.contains(name), "readVariables lacks \(name)")
        return variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The environment for an object with these settings.
    package func applying(_ options: MSALCredentialOptions) -> ServerEnvironment {
        var copy = self
        copy.logger = options.logger
        copy.requestTimeout = options.requestTimeout
        copy.background = BackgroundWork()
        copy.instruments = options.instruments
        return copy
    }

    /// The settings of connections to the service.
    package static func connections(_ options: MSALCredentialOptions, variables: [String: String]) -> HTTPSettings {
        var settings = HTTPSettings(caFile: options.caFile, environment: variables)
        // A fault in the variables is reported when an object's authority is made.
        if options.allowsEmulator, let emulator = try? EmulatorAddress(in: variables) {
            settings.caFile = nil
            settings.authorities = emulator.authorities
        }
        settings.maximumConnections = options.maximumConnections
        // A request also waits for a connection as long as it may take.
        settings.connectTimeout = options.requestTimeout
        return settings
    }

    /// The machine that the process runs on.
    package static func system(_ options: MSALCredentialOptions = MSALCredentialOptions()) -> ServerEnvironment {
        let variables = ProcessInfo.processInfo.environment
        let service = SharedTransports.service(
            connections(options, variables: variables),
            requestTimeout: options.requestTimeout
        )
        var environment = ServerEnvironment(
            variables: variables,
            time: SystemTime(),
            files: SystemFiles(),
            transport: service.transport,
            metadataTransport: SharedTransports.metadata,
            memory: .shared,
            authorities: service.authorities
        )
        environment.allVariables = { ProcessInfo.processInfo.environment }
        return environment
    }
}
