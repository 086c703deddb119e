// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import CommandOutput
import EntraEmulator
import EntraEmulatorTesting
import Foundation

/// The variables and the browser of a program, in addition to the emulator.
struct ProgramEnvironment {
    /// The variables to add to the program's environment.
    private(set) var variables: [String: String] = [:]
    private let place: TerminalText
    private let browser: BrowserKind

    /// The browser, as the greeting describes it.
    private enum BrowserKind {
        case window(String?)
        case standIn(String)
        case own
    }

    /// Creates the browser's command in the folder of the run.
    ///
    /// - Throws: The system's error, if the folder cannot be used; the error for an unknown user.
    init(for emulator: Emulator, of directory: EmulatorDirectory, runCommand: RunCommand, in folder: RunFolder) throws {
        let environment = ProcessInfo.processInfo.environment
        if runCommand.asService {
            place = Self.servicePlace(runCommand, trustsInChromium: AuthorityDatabase.canBeMade(in: environment))
        } else {
            place = "Entra emulator (not a Microsoft product) at \(emulator.baseURL.absoluteString)"
            variables = try Self.settings(for: emulator, of: directory, runCommand: runCommand, in: folder)
        }
        if runCommand.kinds.contains(.msal), !runCommand.asService || environment["MSAL_CLIENT_ID"] == nil {
            variables["MSAL_CLIENT_ID"] = directory.applications.first { $0.kind == .publicClient }?.clientID
        }
        switch runCommand.browser ?? Self.usual(as: runCommand.user, environment) {
        case .own:
            browser = .own
        case .window:
            variables["BROWSER"] = try Self.window(in: folder, state: runCommand.options.state)
            variables["MSAL_LINK"] = "no"
            browser = .window(directory.users.first { $0.password != nil }.map(Self.credentials))
        case .standIn:
            let first = directory.users.first { $0.password != nil }
            guard let user = runCommand.user ?? first?.userPrincipalName else {
                // A directory may have only services and agents.
                browser = .own
                return
            }
            variables["BROWSER"] = try Self.program(try emulator.signIn(as: user).command, in: folder)
            variables["MSAL_LINK"] = "no"
            browser = .standIn(user)
        }
    }

    /// The settings of the selected clients, and of every program that uses this library.
    private static func settings(
        for emulator: Emulator,
        of directory: EmulatorDirectory,
        runCommand: RunCommand,
        in folder: RunFolder
    ) throws -> [String: String] {
        let environment = ProcessInfo.processInfo.environment
        let trust = try runCommand.options.trustFiles()
        var variables = [
            "MSAL_EMULATOR": emulator.baseURL.absoluteString,
            "MSAL_EMULATOR_CA": trust.authority.path(percentEncoded: false),
        ]
        for client in runCommand.kinds {
            var settings = ClientSettings(
                for: client,
                base: emulator.baseURL,
                tenant: runCommand.tenant ?? directory.tenants.first?.domain ?? Seed().tenantDomain,
                trust: trust,
                home: environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            )
            if client == .managedIdentity, let addresses = emulator.managedIdentity {
                settings.add(addresses.environment(for: .imds))
            }
            for (name, value) in settings.variables { variables[name] = value }
        }
        // Tokens of an emulator that has stopped are useless, and must not be stored with the user's tokens. The user's
        // settings are for another service.
        variables["MSAL_STORE_DIR"] = folder.url.path(percentEncoded: false)
        variables["MSAL_STORE_KEY"] = "key-file"
        variables["MSAL_CONFIG"] = folder.path("config.yaml")
        return variables
    }

    /// The text that is printed before the program starts.
    func greeting(until program: String) -> TerminalText {
        let end: TerminalText = "It ends with \(program)."
        switch browser {
        case .window(nil): return "\(place)\n\(end) A browser that trusts it opens for sign-ins."
        case .window(let person?):
            return "\(place)\n\(end) A browser that trusts it opens for sign-ins.\nSign in as \(person)"
        case .standIn(let user): return "\(place)\n\(end) Without a window, \(user) signs in."
        case .own: return "\(place)\n\(end)"
        }
    }

    /// The lines of the greeting about `--as-service`: what the program finds, and what is not covered.
    private static func servicePlace(_ runCommand: RunCommand, trustsInChromium: Bool) -> TerminalText {
        let network: TerminalText =
            runCommand.network
            ? "Other host names are not redirected, so requests to them reach the real servers."
            : "There is no other network: nothing that the program sends leaves this machine."
        let browsers: TerminalText =
            runCommand.keepHome ? "browsers" : trustsInChromium ? "Firefox" : "browsers (there is no certutil)"
        let home: TerminalText = runCommand.keepHome ? "\nHOME is yours: what the program writes there is kept." : ""
        return """
            Entra emulator (not a Microsoft product), as login.microsoftonline.com,
            graph.microsoft.com and the service's other names.
            \(network)
            Not covered: \(browsers), programs with their own certificates, sudo.\(home)
            """
    }

    private static func credentials(of user: EmulatorDirectory.User) -> String {
        "\(user.userPrincipalName), password \(user.password ?? "")"
    }

    /// A window if there is a display, unless a user is specified.
    private static func usual(as user: String?, _ environment: [String: String]) -> RunCommand.Browser {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        guard user == nil, hasDisplay, TemporaryBrowser.isAvailable(in: environment) else { return .standIn }
        return .window
    }

    /// Writes the program that opens a window, and returns its path.
    private static func window(in folder: RunFolder, state: String?) throws -> String {
        let program = Bundle.main.executablePath ?? "entra-emulator"
        return try Self.program([program, "browse"] + (state.map { ["--state", $0] } ?? []), in: folder)
    }

    /// Writes the program for `BROWSER`, and returns its path, so that `BROWSER` is one word, whatever command the
    /// program starts. If programs in the temporary folder are not executable, a shell precedes the path.
    private static func program(_ words: [String], in folder: RunFolder) throws -> String {
        let script = """
            #!/bin/sh
            exec \(words.map(\.shellQuoted).joined(separator: " ")) "$1" > /dev/null

            """
        let file = folder.url.appending(path: "browser")
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700],
            ofItemAtPath: file.path(percentEncoded: false)
        )
        let path = file.path(percentEncoded: false)
        return access(path, X_OK) == 0 ? path : "/bin/sh \(path)"
    }
}
