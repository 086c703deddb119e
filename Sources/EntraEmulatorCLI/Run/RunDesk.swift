// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import CommandOutput
import EntraEmulator
import EntraEmulatorTesting
import Foundation

/// What a program needs beside the emulator: variables, a browser, and a folder for its tokens.
struct RunDesk {
    /// The variables that are added to the program's environment.
    private(set) var variables: [String: String] = [:]
    private let folder: URL
    private let base: URL
    private let browser: Words

    /// The browser as the greeting tells of it.
    private enum Words {
        case window(String?)
        case standIn(String)
        case own
    }

    /// Makes the folder, and the browser's command.
    ///
    /// - Throws: The system's error, if the temporary folder cannot be used; that of an unknown user.
    init(for emulator: Emulator, of directory: EmulatorDirectory, wishes: RunCommand) throws {
        let environment = ProcessInfo.processInfo.environment
        base = emulator.baseURL
        folder = Self.place(FileManager.default.temporaryDirectory).appending(
            path: "entra-emulator-run-\(UUID().uuidString.prefix(8))"
        )
        let rights: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: rights)
        do {
            let state = wishes.options.state.map { URL(fileURLWithPath: $0) }
            let trust = try TrustFiles(stateDirectory: state)
            // Every program that uses this library is sent here, whatever its own settings say.
            variables["MSAL_EMULATOR"] = emulator.baseURL.absoluteString
            variables["MSAL_EMULATOR_CA"] = trust.authority.path(percentEncoded: false)
            for client in wishes.clients {
                var settings = ClientSettings(
                    for: client,
                    base: emulator.baseURL,
                    tenant: wishes.tenant ?? directory.tenants.first?.domain ?? Seed().tenantDomain,
                    trust: trust,
                    home: environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
                )
                if client == .managedIdentity, let addresses = emulator.managedIdentity {
                    settings.add(addresses.environment(for: .imds))
                }
                for (name, value) in settings.variables { variables[name] = value }
            }
            if wishes.clients.contains(.msal) {
                variables["MSAL_CLIENT_ID"] = directory.applications.first { $0.kind == .publicClient }?.clientID
            }
            // Tokens of an emulator that has ended are of no use, and have no place among those of the user. Nor have
            // settings, and those of the user are for another service.
            variables["MSAL_STORE_DIR"] = folder.path(percentEncoded: false)
            variables["MSAL_STORE_KEY"] = "key-file"
            variables["MSAL_CONFIG"] = folder.appending(path: "config.yaml").path(percentEncoded: false)
            switch wishes.browser ?? Self.usual(as: wishes.user, environment) {
            case .own:
                browser = .own
            case .window:
                variables["BROWSER"] = try Self.window(in: folder, state: wishes.options.state)
                variables["MSAL_LINK"] = "no"
                browser = .window(directory.users.first { $0.password != nil }.map(Self.credentials))
            case .standIn:
                let user = wishes.user ?? directory.users.first { $0.password != nil }?.userPrincipalName ?? ""
                variables["BROWSER"] = try Self.program(try emulator.signIn(as: user).command, in: folder)
                variables["MSAL_LINK"] = "no"
                browser = .standIn(user)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)  // The first error is the one to report.
            throw error
        }
    }

    /// Deletes the folder with all tokens in it.
    func remove() {
        try? FileManager.default.removeItem(at: folder)  // What cannot be deleted is the user's alone.
    }

    /// What a person reads before the program begins.
    func greeting(until program: String) -> TerminalText {
        let place: TerminalText = "Entra emulator (not a Microsoft product) at \(base.absoluteString)"
        let end: TerminalText = "It ends with \(program)."
        switch browser {
        case .window(nil): return "\(place)\n\(end) A browser that trusts it opens for sign-ins."
        case .window(let person?):
            return "\(place)\n\(end) A browser that trusts it opens for sign-ins.\nSign in as \(person)"
        case .standIn(let user): return "\(place)\n\(end) Without a window, \(user) signs in."
        case .own: return "\(place)\n\(end)"
        }
    }

    private static func credentials(of user: EmulatorDirectory.User) -> String {
        "\(user.userPrincipalName), password \(user.password ?? "")"
    }

    /// A window where one can be shown, unless a user is named.
    private static func usual(as user: String?, _ environment: [String: String]) -> RunCommand.Browser {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        guard user == nil, hasDisplay, ThrowAwayBrowser.isAvailable(in: environment) else { return .standIn }
        return .window
    }

    /// Where a path may stand in `BROWSER`, which programs take apart at spaces and colons: the temporary folder, if its
    /// name is one word.
    static func place(_ temporary: URL) -> URL {
        let isWord = temporary.path(percentEncoded: false).unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0123456789/._-+@".unicodeScalars.contains(scalar)
        }
        return isWord ? temporary : URL(filePath: "/tmp")
    }

    /// Writes the program that opens a window, and returns its path.
    private static func window(in folder: URL, state: String?) throws -> String {
        let program = Bundle.main.executablePath ?? "entra-emulator"
        return try Self.program([program, "browse"] + (state.map { ["--state", $0] } ?? []), in: folder)
    }

    /// Writes the program for `BROWSER`, and returns its path: one word, whatever the words that it stands for. Where the
    /// system starts nothing in the temporary folder, a shell comes before the path.
    private static func program(_ words: [String], in folder: URL) throws -> String {
        let script = """
            #!/bin/sh
            exec \(words.map(\.quotedForShell).joined(separator: " ")) "$1" > /dev/null

            """
        let file = folder.appending(path: "browser")
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700],
            ofItemAtPath: file.path(percentEncoded: false)
        )
        let path = file.path(percentEncoded: false)
        return access(path, X_OK) == 0 ? path : "/bin/sh \(path)"
    }
}
