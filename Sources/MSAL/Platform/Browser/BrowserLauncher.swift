// Licensed under the MIT License. See LICENSE.

import Foundation

/// Opens a URL in the user's browser, by the first way that works (docs/reference/RedirectURIs.md#launchers): the
/// configured command, `$BROWSER`, the desktop portal, `xdg-open`, the Windows browser where this Linux runs beneath
/// Windows.
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

    /// The ways to open `url`, which are tried one after the other. There is none for what is not `http` or `https`:
    /// anything else could make a desktop start any program.
    ///
    /// - Parameters:
    ///   - url: The page. The portal gets it, over the bus.
    ///   - start: An address that leads there, for the arguments of programs, which every user may read; the page's own
    ///     if there is none.
    ///   - command: The app's own command, if it has one.
    ///   - parentWindow: The window that asks, as the portal names it.
    ///   - isPrivate: Whether the window shall be a private one. Where no way to one is known, it is a usual one.
    /// - Returns: The ways. Nothing is started yet.
    func launches(
        of url: URL,
        startingAt start: URL? = nil,
        command: [String]?,
        parentWindow: String? = nil,
        isPrivate: Bool = false
    ) -> BrowserLaunches {
        let address = start ?? url
        let isWeb = [url, address].allSatisfy { ["http", "https"].contains($0.scheme?.lowercased()) }
        var ways: [BrowserLaunches.Way] = []
        if isWeb {
            ways += chosenCommands(command).map { words in
                let wished = isPrivate ? PrivateWindow.command(words) : words
                return .program(line(wished ?? words, for: address), opensUsualWindow: wished == nil)
            }
            ways += isPrivate ? privateCommands(for: address).map { .program($0, opensUsualWindow: false) } : []
            if mayUsePortal { ways.append(.portal(url, parentWindow: parentWindow, opensUsualWindow: isPrivate)) }
            ways += desktopCommands(for: address).map { .program($0, opensUsualWindow: isPrivate) }
        }
        return BrowserLaunches(ways, environment: environment)
    }

    /// The command lines to try, in order. The portal comes after those that somebody chose.
    package func commands(for url: URL, command: [String]?, isPrivate: Bool = false) -> [[String]] {
        launches(of: url, command: command, isPrivate: isPrivate).ways.compactMap { way in
            switch way {
            case .program(let words, _): words
            case .portal: nil
            }
        }
    }

    /// What would open a page here.
    package enum Way: Sendable, Hashable {
        /// This program.
        case program(String)
        /// The desktop portal, with the browser of its choice.
        case portal
    }

    /// The way that is tried first for a usual window; `nil` if there is none. Nothing is started.
    package func way(for url: URL, command: [String]?) async -> Way? {
        func program(_ commands: [[String]]) -> Way? {
            commands.compactMap(\.first).first { ChildProcess.executable($0, in: environment) != nil }.map {
                .program($0)
            }
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

    private func privateCommands(for url: URL) -> [[String]] {
        guard hasDisplay, let words = PrivateWindow.ofDefaultBrowser(environment) else { return [] }
        return [line(words, for: url)]
    }

    private func desktopCommands(for url: URL) -> [[String]] {
        var programs: [String] = []
        if hasDisplay { programs.append("xdg-open") }
        if isSet("WSL_DISTRO_NAME") || isSet("WSL_INTEROP") { programs.append("wslview") }
        return programs.map { line([$0], for: url) }
    }

    private func line(_ words: [String], for url: URL) -> [String] {
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
}
