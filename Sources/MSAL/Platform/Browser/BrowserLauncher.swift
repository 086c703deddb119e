// Licensed under the MIT License. See LICENSE.

import Foundation

/// Opens a URL in the user's browser, by the first program that starts (protocol.md §2.8, decisions P10).
///
/// Programs are started directly with a list of arguments. No shell ever sees the URL.
package struct BrowserLauncher: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Starts a browser for `url`.
    ///
    /// - Returns: Whether a program could be started; what it does then is not waited for.
    package func open(_ url: URL, command: [String]?) -> Bool {
        commands(for: url, command: command).contains(where: start)
    }

    /// The command lines to try, in order: the configured one, `$BROWSER`, `xdg-open` where there is a display,
    /// the Windows browser where this Linux runs beneath Windows.
    package func commands(for url: URL, command: [String]?) -> [[String]] {
        let address = url.absoluteString
        var templates: [[String]] = []
        if let command, !command.isEmpty { templates.append(command) }
        // xdg-open's reading of the variable: alternatives between colons, words between spaces.
        for alternative in (environment["BROWSER"] ?? "").split(separator: ":") {
            templates.append(alternative.split(separator: " ").map(String.init))
        }
        if isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") { templates.append(["xdg-open"]) }
        if isSet("WSL_DISTRO_NAME") || isSet("WSL_INTEROP") { templates.append(["wslview"]) }

        return templates.filter { !$0.isEmpty }.map { words in
            words.contains { $0.contains("%s") }
                ? words.map { $0.replacing("%s", with: address) }
                : words + [address]
        }
    }

    private func isSet(_ name: String) -> Bool {
        !(environment[name] ?? "").isEmpty
    }

    private func start(_ words: [String]) -> Bool {
        guard let name = words.first, let program = executable(name) else { return false }
        let process = Process()
        process.executableURL = program
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Foundation collects the ended process; the handler keeps nothing but says that someone asked for it.
        process.terminationHandler = { _ in }
        do {
            try process.run()
            return true
        } catch {
            return false  // Not a program for this machine: the next one is tried.
        }
    }

    private func executable(_ name: String) -> URL? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        return paths.first { path in
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return exists && !isDirectory.boolValue && FileManager.default.isExecutableFile(atPath: path)
        }.map { URL(filePath: $0) }
    }
}
