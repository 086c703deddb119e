// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Dispatch
import EntraEmulator
import Foundation

/// `entra-emulator start`: listens until it is interrupted.
struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the emulator; Ctrl-C ends it."
    )

    @Option(help: "The TLS port on loopback; 0 takes a free one.")
    var port = 8443

    @Option(help: "The port of the control API on loopback; 0 takes a free one.")
    var controlPort = 8444

    @Option(help: ArgumentHelp("Keep people, consents and tokens in this folder.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The folder of the certificate authority and the keys.", valueName: "dir"))
    var state: String?

    @Option(help: ArgumentHelp("Add a host name to the certificate; may be repeated.", valueName: "name"))
    var host: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "End the sign-in when a refresh token is used twice; without it, External ID tenants do."
    )
    var strictRotation: Bool?

    @Option(help: "What goes to standard error: trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    func validate() throws {
        for port in [port, controlPort] where !(0...65535).contains(port) {
            throw ValidationError("\(port) is not a port number.")
        }
    }

    func run() async throws {
        var configuration = EmulatorConfiguration()
        configuration.port = port
        configuration.controlPort = controlPort
        configuration.dataDirectory = data.map { URL(fileURLWithPath: $0) }
        configuration.stateDirectory = state.map { URL(fileURLWithPath: $0) }
        configuration.additionalHosts = host
        configuration.strictRotation = strictRotation
        configuration.logLevel = logLevel

        let interruptions = Interruptions()
        let begin = ContinuousClock.now
        let emulator: Emulator
        do {
            emulator = try await Emulator.start(configuration)
        } catch {
            FileHandle.standardError.write(Data("entra-emulator: \(error.localizedDescription)\n".utf8))
            throw ExitCode(1)
        }
        FileHandle.standardOutput.write(Data(greeting(emulator, after: ContinuousClock.now - begin).utf8))
        await interruptions.first()
        try await emulator.shutdown()
    }

    private func greeting(_ emulator: Emulator, after duration: Duration) -> String {
        let seed = emulator.seed
        let authority = emulator.certificateAuthorityFile.path
        let base = "https://localhost:\(emulator.port)"
        let people = seed.people.map(\.userPrincipalName).joined(separator: ", ")
        let native = "https://127.0.0.1:\(emulator.port)/\(seed.externalTenantAlias)"
        let milliseconds = Int(duration / .milliseconds(1))
        return """
            Entra emulator (not a Microsoft product), listening after \(milliseconds) ms
              URL            \(base)
              CA file        \(authority)
              Users          \(people)
              Password       \(seed.password)
              Client ids     \(seed.clientID), \(seed.tutorialClientID)
              Native         \(native), \(seed.customers.count) customers
              Console        https://localhost:\(emulator.controlPort ?? 0) (codes, clock, faults)
              Control token  \(emulator.controlToken ?? "")
            Try it:
              export MSAL_CA_FILE='\(authority)' MSAL_GRAPH_URL=\(base)/
              export MSAL_CLIENT_ID=\(seed.clientID) MSAL_AUTHORITY=\(base)/\(seed.tenantID)
              msal login --scope User.Read
              msal graph /me
            Other programs learn of the CA through SSL_CERT_FILE.
            Ctrl-C ends the emulator.

            """
    }
}

/// SIGINT and SIGTERM as something to wait for.
private struct Interruptions {
    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before it could close its files.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    /// Returns at the first of them.
    func first() async {
        for await _ in stream { return }
    }
}
