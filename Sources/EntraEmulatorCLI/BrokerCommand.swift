// Licensed under the MIT License. See LICENSE.

#if canImport(EntraEmulatorBroker)
    public import ArgumentParser
    import CommandOutput
    import EntraEmulator
    public import EntraEmulatorBroker
    import EntraEmulatorTesting
    import Foundation

    /// `entra-emulator broker`: starts an emulator with an emulated identity broker on a session bus.
    struct BrokerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "broker",
            abstract: "Listen, and emulate the identity broker of a desktop on a session bus.",
            discussion: """
                The bus is a separate dbus-daemon, which ends with the command. To let programs find the broker, run the line \
                that starts with export in another shell. If no browser is available, the device's user responds to the \
                broker's window.

                EXAMPLES
                  entra-emulator broker --signed-in megan@contoso.example
                  entra-emulator broker --dialect himmelblau --signed-in megan@contoso.example
                  entra-emulator broker --shared --window browser
                """
        )

        /// The user's response to the broker's window.
        enum Window: String, CaseIterable, ExpressibleByArgument {
            /// The device's user consents to everything.
            case user
            /// The program in BROWSER opens the page, or the browser of `entra-emulator browse`.
            case browser
            /// The window stays open without a response.
            case nobody = "none"
            /// The user closes the window.
            case closed
        }

        @Option(help: "The family of brokers: Microsoft's up to 2.0.1, Microsoft's current one, or Himmelblau's.")
        var dialect = BrokerDialect.current

        @Option(help: ArgumentHelp("Sign this user in to the device.", valueName: "user"))
        var signedIn: String?

        @Flag(help: "Set up the device for several users.")
        var shared = false

        @Option(
            help: """
                What happens in the broker's window: the device's user consents, a browser opens the page (BROWSER, or that \
                of browse), it gets no response, or it is closed. By default: user with --signed-in, otherwise browser.
                """
        )
        var window: Window?

        @Flag(help: "Use the session bus of this desktop instead of a separate one.")
        var sessionBus = false

        @Flag(help: "Bind tokens to a key and sign requests, which no known broker for Linux does.")
        var proofOfPossession = false

        @Flag(name: .customLong("no-device-info"), help: "Do not report how the device was set up, like known brokers.")
        var hidesDevice = false

        @OptionGroup(title: "Options of serve") var options: ServeOptions

        func run() async throws {
            OpenFiles.takeAll()
            let interruptions = Interruptions()
            let emulator = try await options.start { $0.directory.addBrokerClient() }
            try await emulator.shutdown {
                let broker = try await EmulatedBroker.start(for: emulator, configuration)
                do {
                    if let signedIn { try await broker.signIn(as: signedIn) }
                    Terminal.output.write(greeting(of: broker))
                    await interruptions.first()
                } catch {
                    await broker.shutdown()
                    throw error
                }
                await broker.shutdown()
            }
        }

        private var configuration: EmulatedBroker.Configuration {
            let environment = ProcessInfo.processInfo.environment
            var configuration = EmulatedBroker.Configuration()
            configuration.dialect = dialect
            configuration.isShared = shared
            configuration.supportsProofOfPossession = proofOfPossession
            configuration.describesDevice = !hidesDevice
            configuration.sessionBus = sessionBus ? environment : nil
            switch window ?? (signedIn == nil ? .browser : .user) {
            case .user: configuration.window = .deviceUser
            case .browser: configuration.window = .browser(browser(environment))
            case .nobody: configuration.window = .nobody
            case .closed: configuration.window = .closed
            }
            return configuration
        }

        /// The user's own browser, or one that trusts the emulator.
        private func browser(_ environment: [String: String]) -> [String] {
            if let browser = environment["BROWSER"], !browser.isEmpty { return [browser] }
            let program = Bundle.main.executablePath ?? "entra-emulator"
            return [program, "browse"] + (options.state.map { ["--state", $0] } ?? [])
        }

        private func greeting(of broker: EmulatedBroker) -> TerminalText {
            let place = sessionBus ? "the session bus" : "a separate bus"
            let user: TerminalText =
                signedIn.map { "\($0) is signed in to the device." } ?? "No user is signed in to the device."
            let address: TerminalText =
                broker.busAddress.map {
                    "\nexport DBUS_SESSION_BUS_ADDRESS='\($0)'"
                } ?? ""
            return """
                Emulated identity broker with the dialect \(dialect.rawValue), on \(place). \(user)\(address)
                """
        }
    }

    extension BrokerDialect: ExpressibleByArgument {}
#endif
