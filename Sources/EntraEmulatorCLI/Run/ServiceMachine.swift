// Licensed under the MIT License. See LICENSE.

#if os(Linux)
    import EntraEmulator
    import Foundation
    import MSALBase

    /// The machine as a program sees it in `run --as-service`: Microsoft's host names, the trusted authorities, and the
    /// address of the metadata service lead to the emulator of this process.
    struct ServiceMachine {
        private let folder: RunFolder
        private let runCommand: RunCommand
        private let own = ProcessInfo.processInfo.environment

        /// The address of the metadata service on Azure virtual machines.
        private static let metadataAddress: [UInt8] = [169, 254, 169, 254]

        /// Configures the network namespace of this process.
        ///
        /// - Throws: An error with a one-line message. Nothing outside has changed.
        init(comingFrom outside: String, in folder: RunFolder, runCommand: RunCommand) throws {
            try Namespaces.check(against: outside)
            self.folder = folder
            self.runCommand = runCommand
            try LoopbackInterface.start(with: Self.metadataAddress)
            if let socket = runCommand.networkSocket { try UserModeNetworking.join(by: socket) }
        }

        /// Sets the ports of the metadata service.
        func change(_ configuration: inout EmulatorConfiguration) {
            var settings = ManagedIdentitySettings()
            settings.port = 80
            settings.listensAtMetadataAddress = true
            configuration.managedIdentity = settings
            configuration.certifiesServiceNames = true
        }

        /// Covers the files with host names and trusted authorities, and creates the user.
        ///
        /// - Returns: The program with this user's environment, and without rights over the namespaces.
        func prepare(
            _ program: ForegroundProgram,
            directory: EmulatorDirectory,
            programEnvironment: ProgramEnvironment
        ) async throws -> ForegroundProgram {
            var user = try ServiceUser(from: own, in: folder, keepsHome: runCommand.keepHome)
            let mounts = ServiceMounts(folder: folder.url)
            let names = Emulator.serviceNames + Self.tenantNames(of: directory) + runCommand.options.host
            try mounts.cover(names: names, nameServer: runCommand.network ? UserModeNetworking.nameServer : nil)
            let trust = try runCommand.options.trustFiles()
            let bundle = try mounts.cover(authorities: trust, javaHome: own["JAVA_HOME"])
            user.trust(bundle: bundle, authority: trust.authority.path(percentEncoded: false))
            if !runCommand.keepHome { try await user.trustInChromium(trust.authority) }
            try mounts.hide(user.sessionBuses)
            user.add(programEnvironment.variables)
            guard let setpriv = ChildProcess.executable("setpriv", in: own) else {
                throw Namespaces.Unavailable(
                    errorDescription: "--as-service requires setpriv of the package util-linux"
                )
            }
            return program.started(
                by: ["--inh-caps=-all", "--ambient-caps=-all", "--"],
                path: setpriv,
                environment: user.environment
            )
        }

        /// The host names of External ID and B2C for the tenants of the directory.
        private static func tenantNames(of directory: EmulatorDirectory) -> [String] {
            let labels = directory.tenants.filter { $0.kind == .external }.flatMap { [$0.domain] + $0.aliases }
                .compactMap { $0.split(separator: ".").first?.lowercased() }
            return Set(labels).sorted().flatMap { ["\($0).ciamlogin.com", "\($0).b2clogin.com"] }
        }
    }
#else
    import EntraEmulator

    /// This system has no Linux namespaces, so no such machine can be created.
    struct ServiceMachine {
        init(comingFrom outside: String, in folder: RunFolder, runCommand: RunCommand) throws {
            throw Namespaces.Unavailable()
        }

        func change(_ configuration: inout EmulatorConfiguration) {}

        func prepare(
            _ program: ForegroundProgram,
            directory: EmulatorDirectory,
            programEnvironment: ProgramEnvironment
        ) async throws -> ForegroundProgram {
            program
        }
    }
#endif
