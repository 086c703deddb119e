// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation

/// The options of every command that starts an emulator.
struct ServeOptions: ParsableArguments {
    @Option(help: "The TLS port; 0 selects a free one. Defaults to 8443, with run to a free one.")
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Open another TLS port that requests client certificates (mutual TLS). 0 selects a free one.",
            valueName: "port"
        )
    )
    var mutualTLSPort: Int?

    @Option(
        help: ArgumentHelp(
            "Open a port without TLS that only serves the certificate authority at /ca.pem. 0 selects a free one.",
            valueName: "port"
        )
    )
    var trustPort: Int?

    @Option(
        help: ArgumentHelp(
            "The public address for issuers and browsers, such as https://localhost:8443.",
            valueName: "url"
        )
    )
    var publicURL: String?

    @Option(help: "The port of the control API; 0 selects a free one. Defaults to 8444, with run to a free one.")
    var controlPort: Int?

    @Option(
        help: ArgumentHelp(
            "Let other machines use the TLS port on this IP address: 0.0.0.0, ::, or one of this machine. Anyone "
                + "there can sign in.",
            valueName: "address"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Trust the X-Forwarded-For of proxies at this address or in this network; may be repeated.",
            valueName: "network"
        )
    )
    var trustedProxy: [String] = []

    @Option(help: ArgumentHelp("Like --listen, for the control API, which requires its token.", valueName: "address"))
    var controlListen: String?

    @Option(
        help: ArgumentHelp(
            "Read the token of the control API from this file, which must not be readable by other users.",
            valueName: "file"
        )
    )
    var controlTokenFile: String?

    @Option(help: ArgumentHelp("Read your tenants, users, apps, and APIs from this file.", valueName: "file"))
    var seed: String?

    @Option(help: ArgumentHelp("Store users, consents, and tokens in this folder.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The folder of the certificate authority and the keys.", valueName: "dir"))
    var state: String?

    @Option(help: ArgumentHelp("Add a host name to the certificate; may be repeated.", valueName: "name"))
    var host: [String] = []

    @Flag(help: "Add Microsoft's host names to the certificate, for programs that use the emulator under these names.")
    var serviceNames = false

    @Flag(
        inversion: .prefixedNo,
        help: "End the sign-in when a refresh token is used twice. By default, only External ID tenants do."
    )
    var strictRotation: Bool?

    @Option(
        help: ArgumentHelp(
            "The lifetime of access tokens. With two hours or more, the response says when to refresh them.",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Int?

    @Flag(help: "Issue tokens of managed identities, on separate loopback ports.")
    var managedIdentity = false

    @Option(
        help: """
            The port of managed identities; the next one is for Service Fabric. 0 selects free ones. Defaults to 50342, \
            with run --for managed-identity to a free one.
            """
    )
    var managedIdentityPort: Int?

    @Option(
        help: ArgumentHelp(
            "The folder of Azure Arc's key files; clients read /var/opt/azcmagent/tokens.",
            valueName: "dir"
        )
    )
    var arcKeys: String?

    @Flag(help: "Issue tokens like GitHub Actions, Azure Pipelines, and Kubernetes, for federated credentials.")
    var issuers = false

    @Option(
        help: ArgumentHelp(
            "Also trust the authorities in this PEM file when fetching the keys of a federated credential's issuer.",
            valueName: "file"
        )
    )
    var trust: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether the sign-in page lists users that one click signs in. With --listen, off by default."
    )
    var people: Bool?

    @Flag(
        help: "Let the login hint of a request sign the user in without a page. With --listen, this requires --people."
    )
    var signInByHint = false

    @Option(help: ArgumentHelp("The level of the log on standard error. Off by default.", valueName: "level"))
    var logLevel: EmulatorConfiguration.LogLevel?

    @Option(help: ArgumentHelp("The format of the log; json writes one object per line.", valueName: "format"))
    var logFormat = EmulatorConfiguration.LogFormat.text

    func validate() throws {
        let ports = [port, mutualTLSPort, trustPort, controlPort, managedIdentityPort].compactMap(\.self)
        for port in ports where !(0...65535).contains(port) {
            throw ValidationError("\(port) is not a port number.")
        }
        if let port, port != 0, port == controlPort {
            throw ValidationError("--port and --control-port cannot both be \(port).")
        }
        if let mutualTLSPort, mutualTLSPort != 0, [port, controlPort].contains(mutualTLSPort) {
            throw ValidationError(
                "--mutual-tls-port must be a different port than \(mutualTLSPort), which is already used."
            )
        }
        if let publicURL, URL(string: publicURL) == nil {
            throw ValidationError("--public-url must be an address such as https://localhost:8443.")
        }
        if let tokenLifetime, !(60...172_800).contains(tokenLifetime) {
            throw ValidationError("--token-lifetime must be from 60 to 172800 seconds.")
        }
        // An unset variable in a script results in an empty string. As a path, it would mean the current folder.
        let places = [
            ("--data", data, "folder"), ("--state", state, "folder"), ("--arc-keys", arcKeys, "folder"),
            ("--trust", trust, "file"), ("--control-token-file", controlTokenFile, "file"), ("--seed", seed, "file"),
        ]
        for (option, value, kind) in places where value?.isEmpty == true {
            throw ValidationError("\(option) must be the name of a \(kind), not empty.")
        }
    }

    /// The default ports of an emulator.
    struct Ports {
        var service: Int
        var control: Int

        /// The ports that the documentation uses.
        static let usual = Ports(service: 8443, control: 8444)
        /// Free ports.
        static let free = Ports(service: 0, control: 0)
        /// The port of the service itself.
        static let original = Ports(service: 443, control: 0)
    }

    /// The configuration for the options.
    ///
    /// - Throws: An error of the seed file.
    func configuration(ports: Ports = .usual) throws -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration()
        configuration.port = port ?? ports.service
        configuration.mutualTLSPort = mutualTLSPort
        configuration.trustPort = trustPort
        configuration.publicURL = publicURL.flatMap { URL(string: $0) }
        configuration.controlPort = controlPort ?? ports.control
        if let seed { configuration.directory = try EmulatorDirectory(seedFile: seed) }
        configuration.dataDirectory = data.map { URL(fileURLWithPath: $0) }
        configuration.stateDirectory = state.map { URL(fileURLWithPath: $0) }
        configuration.additionalHosts = host
        configuration.certifiesServiceNames = serviceNames
        configuration.strictRotation = strictRotation
        if let tokenLifetime { configuration.accessTokenLifetime = .seconds(tokenLifetime) }
        // A log format without a level also enables logging.
        configuration.logLevel = logLevel ?? (logFormat == .json ? .info : nil)
        configuration.logFormat = logFormat
        configuration.listenAddress = listen
        configuration.controlListenAddress = controlListen
        configuration.trustedProxies = trustedProxy
        configuration.people = people.map { $0 ? PeopleList.everywhere : .hidden } ?? .onLoopback
        configuration.signsInByHint = signInByHint
        configuration.controlTokenFile = controlTokenFile.map { URL(fileURLWithPath: $0) }
        configuration.federatedIssuers = issuers ? FederatedIssuerSettings() : nil
        configuration.additionalTrustRoots = trust.map { URL(fileURLWithPath: $0) }
        if managedIdentity { configuration.managedIdentity = managedIdentitySettings }
        return configuration
    }

    /// The files with which clients trust the emulator; missing ones are created.
    func trustFiles() throws -> TrustFiles {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) })
    }

    /// Starts an emulator and prints where it listens, or why it cannot.
    ///
    /// `change`: The settings that a command changes.
    func start(_ change: (inout EmulatorConfiguration) -> Void = { _ in }) async throws -> Emulator {
        let begin = ContinuousClock.now
        var configuration = try configuration()
        change(&configuration)
        let emulator = try await launch(configuration)
        let greeting = emulator.greeting(
            after: ContinuousClock.now - begin,
            tokenFile: controlTokenFile,
            of: seed
        )
        // The emulator runs even if this cannot be written, for example because the disk is full.
        Terminal.output.write(greeting)
        if let addresses = emulator.managedIdentity { Terminal.output.write(addresses.listing) }
        return emulator
    }

    /// Starts an emulator. It only prints warnings.
    func launch(_ configuration: EmulatorConfiguration) async throws -> Emulator {
        let emulator = try await Emulator.start(configuration)
        // A log already contains the warnings.
        for warning in emulator.reachabilityWarnings + configuration.directory.warnings
        where configuration.logLevel == nil {
            Terminal.errors.write("entra-emulator: warning: \(warning)")
        }
        if emulator.keepsOwnDirectory {
            Terminal.errors.write(
                """
                entra-emulator: \(data ?? "") contains a directory that was changed at runtime, which is used; \
                POST /reset of the control API restores \(seed ?? "the default directory")
                """
            )
        }
        return emulator
    }

    private var managedIdentitySettings: ManagedIdentitySettings {
        var settings = ManagedIdentitySettings()
        let port = managedIdentityPort ?? 50_342
        settings.port = port
        settings.securePort = port == 0 ? 0 : port + 1
        settings.arcKeyFolder = arcKeys.map { URL(fileURLWithPath: $0) }
        return settings
    }
}

extension EmulatorConfiguration.LogLevel: ExpressibleByArgument {}
extension EmulatorConfiguration.LogFormat: ExpressibleByArgument {}
