// Licensed under the MIT License. See LICENSE.

#if canImport(EntraEmulatorBroker)
    public import ArgumentParser
    import CommandOutput
    import EntraEmulator
    public import EntraEmulatorBroker
    import EntraEmulatorTesting
    import Foundation

    /// `entra-emulator broker`: serves, with a double of the identity broker on a session bus.
    struct BrokerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "broker",
            abstract: "Listen, and stand for the identity broker of a desktop on a session bus.",
            discussion: """
                The bus is a dbus-daemon of its own, which ends with the command. Programs find the broker by the line \
                that begins with export, in another shell. Without a way to show a page, the device's user answers the \
                broker's window.

                EXAMPLES
                  entra-emulator broker --signed-in megan@contoso.example
                  entra-emulator broker --dialect himmelblau --signed-in megan@contoso.example
                  entra-emulator broker --shared --window browser
                """
        )

        /// The person's answer to the broker's window.
        enum Window: String, CaseIterable, ExpressibleByArgument {
            /// The device's user agrees to everything.
            case user
            /// The program in BROWSER shows the page, or the browser of `entra-emulator browse`.
            case browser
            /// Nobody looks at the window.
            case nobody = "none"
            /// The user closes the window.
            case closed
        }

        @Option(help: "The family of brokers: Microsoft's up to 2.0.1, Microsoft's of today, or Himmelblau's.")
        var dialect = BrokerDialect.current

        @Option(help: ArgumentHelp("Sign this user in to the device.", valueName: "user"))
        var signedIn: String?

        @Flag(help: "The device is set up for several people.")
        var shared = false

        @Option(
            help: """
                What happens at the broker's window: the device's user agrees, a browser shows the page (BROWSER, or that \
                of browse), nobody looks at it, or it is closed. Without it: user with --signed-in, else browser.
                """
        )
        var window: Window?

        @Flag(help: "Take the session bus of this desktop, and not one of its own.")
        var sessionBus = false

        @Flag(help: "Bind tokens to a key and sign requests, as no broker for Linux is known to.")
        var proofOfPossession = false

        @Flag(
            name: .customLong("no-device-info"),
            help: "Leave out how the device was set up, as known brokers do."
        )
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

        /// A browser of the user's own choice, or one that trusts the emulator.
        private func browser(_ environment: [String: String]) -> [String] {
            if let browser = environment["BROWSER"], !browser.isEmpty { return [browser] }
            let program = Bundle.main.executablePath ?? "entra-emulator"
            return [program, "browse"] + (options.state.map { ["--state", $0] } ?? [])
        }

        private func greeting(of broker: EmulatedBroker) -> TerminalText {
            let place = sessionBus ? "the session bus" : "a bus of its own"
            let user: TerminalText =
                signedIn.map { "\($0) is signed in to the device." } ?? "Nobody is signed in to the device."
            let address: TerminalText =
                broker.busAddress.map {
                    "\nexport DBUS_SESSION_BUS_ADDRESS='\($0)'"
                } ?? ""
            return """
                Identity broker, a double in the dialect \(dialect.rawValue), on \(place). \(user)\(address)
                """
        }
    }

    extension BrokerDialect: ExpressibleByArgument {}
#endif
