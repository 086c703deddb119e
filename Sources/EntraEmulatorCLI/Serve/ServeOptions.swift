// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation

/// The options of every command that lets an emulator listen.
struct ServeOptions: ParsableArguments {
    @Option(help: "The TLS port; 0 takes a free one. 8443 without it, or with run a free one.")
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Open another TLS port, where clients are asked for a certificate: mutual TLS. 0 takes a free one.",
            valueName: "port"
        )
    )
    var mutualTLSPort: Int?

    @Option(
        help: ArgumentHelp(
            "Open a port without TLS that has the certificate authority at /ca.pem, and nothing else. 0 takes a free one.",
            valueName: "port"
        )
    )
    var trustPort: Int?

    @Option(
        help: ArgumentHelp(
            "The address in issuers and for browsers, whichever name a client uses, such as https://localhost:8443.",
            valueName: "url"
        )
    )
    var publicURL: String?

    @Option(help: "The port of the control API; 0 takes a free one. 8444 without it, or with run a free one.")
    var controlPort: Int?

    @Option(
        help: ArgumentHelp(
            "Let other machines reach the TLS port at this IP address: 0.0.0.0, :: or one of this machine. Everybody "
                + "there can sign in.",
            valueName: "address"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Believe the X-Forwarded-For of proxies at this address or in this network; may be repeated.",
            valueName: "network"
        )
    )
    var trustedProxy: [String] = []

    @Option(help: ArgumentHelp("--listen for the control API, which wants its token.", valueName: "address"))
    var controlListen: String?

    @Option(
        help: ArgumentHelp(
            "Read the token of the control API from this file, which others must not be able to read.",
            valueName: "file"
        )
    )
    var controlTokenFile: String?

    @Option(help: ArgumentHelp("Read your tenants, people, apps and APIs from this file.", valueName: "file"))
    var seed: String?

    @Option(help: ArgumentHelp("Keep people, consents and tokens in this folder.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The folder of the certificate authority and the keys.", valueName: "dir"))
    var state: String?

    @Option(help: ArgumentHelp("Add a host name to the certificate; may be repeated.", valueName: "name"))
    var host: [String] = []

    @Flag(help: "Put Microsoft's own names into the certificate, for programs that are led here by them.")
    var serviceNames = false

    @Flag(
        inversion: .prefixedNo,
        help: "End the sign-in when a refresh token is used twice; without it, External ID tenants do."
    )
    var strictRotation: Bool?

    @Option(
        help: ArgumentHelp(
            "How long access tokens live; of those for two hours or longer the response says when to refresh.",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Int?

    @Flag(help: "Hand out tokens of managed identities, on loopback ports of their own.")
    var managedIdentity = false

    @Option(
        help: """
            The port of managed identities; the next one is Service Fabric's. 0 takes free ones. 50342 without it, or \
            with run --for managed-identity a free one.
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

    @Flag(help: "Issue tokens as GitHub Actions, Azure Pipelines and Kubernetes do, for federated credentials.")
    var issuers = false

    @Option(
        help: ArgumentHelp(
            "Also trust the authorities of this PEM file when keys of a federated credential's issuer are read.",
            valueName: "file"
        )
    )
    var trust: String?

    @Flag(
        inversion: .prefixedNo,
        help: "List people on the sign-in page, whom one click signs in; with --listen, only if it is given."
    )
    var people: Bool?

    @Flag(help: "Let the login hint of a request sign that user in without a page; with --listen, --people is needed.")
    var signInByHint = false

    @Option(help: ArgumentHelp("What goes to standard error; nothing without it.", valueName: "level"))
    var logLevel: EmulatorConfiguration.LogLevel?

    @Option(help: ArgumentHelp("The form of the log; json writes an object in each line.", valueName: "format"))
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
            throw ValidationError("--mutual-tls-port needs a port of its own, and \(mutualTLSPort) is taken.")
        }
        if let publicURL, URL(string: publicURL) == nil {
            throw ValidationError("--public-url wants an address such as https://localhost:8443.")
        }
        if let tokenLifetime, !(60...172_800).contains(tokenLifetime) {
            throw ValidationError("--token-lifetime wants seconds, from 60 to 172800.")
        }
        // An unset variable in a script leaves an empty text. As a path, it would mean the current folder.
        let places = [
            ("--data", data, "folder"), ("--state", state, "folder"), ("--arc-keys", arcKeys, "folder"),
            ("--trust", trust, "file"), ("--control-token-file", controlTokenFile, "file"), ("--seed", seed, "file"),
        ]
        for (option, value, kind) in places where value?.isEmpty == true {
            throw ValidationError("\(option) wants the name of a \(kind), and what it was given is empty.")
        }
    }

    /// The ports of an emulator whose options name none.
    struct Ports {
        var service: Int
        var control: Int

        /// The ports that the documentation names.
        static let usual = Ports(service: 8443, control: 8444)
        /// Free ports.
        static let free = Ports(service: 0, control: 0)
        /// The port of the service itself.
        static let original = Ports(service: 443, control: 0)
    }

    /// The settings that the options ask for.
    ///
    /// - Throws: What reading the seed file throws.
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
        // A log's form without a level also asks for a log.
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

    /// The files by which clients trust the emulator; missing ones are made.
    func trustFiles() throws -> TrustFiles {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) })
    }

    /// Starts an emulator and says where it listens, or why it cannot.
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
        // The emulator runs even if this cannot be written, as on a full disk.
        Terminal.output.write(greeting)
        if let addresses = emulator.managedIdentity { Terminal.output.write(addresses.listing) }
        return emulator
    }

    /// Starts an emulator. It writes warnings and nothing else.
    func launch(_ configuration: EmulatorConfiguration) async throws -> Emulator {
        let emulator = try await Emulator.start(configuration)
        // A log has the warnings, too.
        for warning in emulator.reachabilityWarnings where configuration.logLevel == nil {
            Terminal.errors.write("entra-emulator: warning: \(warning)")
        }
        if emulator.keepsOwnDirectory {
            Terminal.errors.write(
                """
                entra-emulator: \(data ?? "") keeps a directory that was changed while an emulator ran, and it counts; \
                POST /reset of the control API returns to \(seed ?? "the default directory")
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
