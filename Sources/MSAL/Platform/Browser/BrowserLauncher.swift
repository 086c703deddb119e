// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc

/// Opens a URL in the user's browser, by the first way that works (protocol.md §2.8, decisions P10): the configured
/// command, `$BROWSER`, the desktop portal, `xdg-open`, the Windows browser where this Linux runs beneath Windows.
///
/// Programs are started directly with a list of arguments. No shell ever sees the URL.
package struct BrowserLauncher: Sendable {
    /// What came of it.
    package enum Outcome: Sendable {
        /// A program was started; what it does then is not waited for.
        case started
        /// The user was asked which browser to take and declined, or the calling task was cancelled meanwhile.
        case canceled
        /// Nothing here opens a browser.
        case unavailable
    }

    private let environment: [String: String]

    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Starts a browser for `url`, which must be `http` or `https`: anything else could make a desktop start any
    /// program.
    ///
    /// `parentWindow`: The window that asks, as the portal names it.
    /// `isPrivate`: Whether the window shall be a private one. Where no way to one is known, it is a usual one.
    package func open(
        _ url: URL,
        command: [String]?,
        parentWindow: String? = nil,
        isPrivate: Bool = false
    ) async -> Outcome {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else { return .unavailable }
        for words in chosenCommands(command) {
            let wished = isPrivate ? PrivateWindow.command(words) : words
            guard start(line(wished ?? words, url)) else { continue }
            if wished == nil { warnOfUsualWindow() }
            return .started
        }
        if isPrivate {
            if privateCommands(for: url).contains(where: start) { return .started }
            warnOfUsualWindow()
        }
        if mayUsePortal {
            switch await DesktopPortal(environment: environment).open(url, parentWindow: parentWindow) {
            case .opened: return .started
            case .canceled: return .canceled
            case .unavailable: break
            }
        }
        return desktopCommands(for: url).contains(where: start) ? .started : .unavailable
    }

    /// The command lines to try, in order. The portal comes after those that somebody chose.
    package func commands(for url: URL, command: [String]?, isPrivate: Bool = false) -> [[String]] {
        chosenCommands(command).map { line(isPrivate ? PrivateWindow.command($0) ?? $0 : $0, url) }
            + (isPrivate ? privateCommands(for: url) : []) + desktopCommands(for: url)
    }

    /// What would open a page here.
    package enum Way: Sendable, Hashable {
        /// This program.
        case program(String)
        /// The desktop portal, with the browser of its choice.
        case portal
    }

    /// The way that `open` would take for a usual window; `nil` if there is none. Nothing is started.
    package func way(for url: URL, command: [String]?) async -> Way? {
        func program(_ commands: [[String]]) -> Way? {
            commands.compactMap(\.first).first { executable($0) != nil }.map { .program($0) }
        }
        if let chosen = program(chosenCommands(command)) { return chosen }
        if mayUsePortal, await DesktopPortal(environment: environment).isThere() { return .portal }
        return program(desktopCommands(for: url))
    }

    /// What somebody chose, as it was written.
    private func chosenCommands(_ command: [String]?) -> [[String]] {
        // xdg-open's reading of the variable: alternatives between colons, words between spaces.
        let alternatives = (environment["BROWSER"] ?? "").split(separator: ":").map { alternative in
            alternative.split(separator: " ").map(String.init)
        }
        return ([command ?? []] + alternatives).filter { !$0.isEmpty }
    }

    private func warnOfUsualWindow() {
        Log.warning("No private window can be asked for here; the page opens in a usual one.")
    }

    private func privateCommands(for url: URL) -> [[String]] {
        guard hasDisplay, let words = PrivateWindow.ofDefaultBrowser(environment) else { return [] }
        return [line(words, url)]
    }

    private func desktopCommands(for url: URL) -> [[String]] {
        var programs: [String] = []
        if hasDisplay { programs.append("xdg-open") }
        if isSet("WSL_DISTRO_NAME") || isSet("WSL_INTEROP") { programs.append("wslview") }
        return programs.map { line([$0], url) }
    }

    private func line(_ words: [String], _ url: URL) -> [String] {
        let address = url.absoluteString
        return words.contains { $0.contains("%s") }
            ? words.map { $0.replacing("%s", with: address) }
            : words + [address]
    }

    private var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

    /// A remote login shares the session bus with the desktop in front of the machine: without a display of its own the
    /// window would open there, where nobody may be sitting.
    private var mayUsePortal: Bool {
        hasDisplay || !["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains(where: isSet)
    }

    private func isSet(_ name: String) -> Bool {
        !(environment[name] ?? "").isEmpty
    }

    private func start(_ words: [String]) -> Bool {
        guard let name = words.first, let program = executable(name) else { return false }
        let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { return false }
        defer { close(null) }
        // If it is no program for this machine, the next one is tried.
        let browser = try? ChildProcess(
            program,
            Array(words.dropFirst()),
            environment: environment,
            input: null,
            output: null,
            errors: null
        )
        guard let browser else { return false }
        Thread.detachNewThread { _ = browser.wait() }
        return true
    }

    private func executable(_ name: String) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        return paths.first { path in
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return exists && !isDirectory.boolValue && FileManager.default.isExecutableFile(atPath: path)
        }
    }
}
