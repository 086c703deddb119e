// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Opens a URL in the user's browser (docs/reference/RedirectURIs.md#launchers).
///
/// Uses the first launcher that works: the configured command, `$BROWSER`, the desktop portal, `xdg-open`, and under
/// WSL the Windows browser. Programs are started directly with a list of arguments. The URL is never passed to a shell.
package struct BrowserLauncher: Sendable {
    /// The outcome of one attempt.
    package enum Outcome: Sendable {
        /// A program was started, or the user is choosing a browser. The result is not awaited.
        case started
        /// The user was asked for a browser and chose none, or the calling task was canceled meanwhile.
        case canceled
        /// None of the launchers opens a browser.
        case unavailable
    }

    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// The launchers for `url`, in the order in which to try them. Empty unless the scheme is `http` or `https` because
    /// another scheme could make a desktop start any program.
    ///
    /// - Parameters:
    ///   - url: The page. The portal receives it over the bus.
    ///   - start: A URL that leads to the page. Programs receive it because every user may read their arguments.
    ///     Without it, they receive `url`.
    ///   - command: The app's own command, if it has one. An empty one prevents opening a browser.
    ///   - parentWindow: The identifier of the app's window for the portal.
    ///   - isPrivate: Whether to open a private window. A regular one is opened if no launcher for a private one is
    ///     known.
    /// - Returns: The launchers. Nothing is started yet.
    func launches(
        of url: URL,
        startingAt start: URL? = nil,
        command: [String]?,
        parentWindow: String? = nil,
        isPrivate: Bool = false
    ) -> BrowserLaunches {
        let page = BrowserLaunches.Page(url: url, start: start, parentWindow: parentWindow)
        let machine = SignInEnvironment(environment: environment)
        var launchers: [BrowserLaunches.Launcher] = []
        if page.isWeb, command != [] {
            launchers += chosenCommands(command).map { words in
                let requested = isPrivate ? PrivateWindow.command(words) : words
                return .program(requested ?? words, opensUsualWindow: requested == nil)
            }
            if isPrivate, machine.hasDisplay, let words = PrivateWindow.ofDefaultBrowser(environment) {
                launchers.append(.program(words, opensUsualWindow: false))
            }
            if machine.mayUsePortal { launchers.append(.portal(opensUsualWindow: isPrivate)) }
            launchers += machine.desktopPrograms.map { .program(desktopCommand($0), opensUsualWindow: isPrivate) }
        }
        return BrowserLaunches(launchers, of: page, environment: environment)
    }

    /// The launchers that would open a page, in order, and the programs that are not installed. Starts nothing.
    /// `portal` represents the desktop portal, which is only queried if neither the app nor the user chose a program.
    func find(command: [String]?, on machine: SignInEnvironment) async -> (launchers: [String], missing: [String]) {
        guard command != [] else { return ([], []) }
        let chosen = chosenCommands(command).compactMap(\.first)
        let programs = chosen + machine.desktopPrograms
        let found = programs.filter { ChildProcess.executable($0, in: environment) != nil }
        let missing = programs.filter { !found.contains($0) }
        guard !found.contains(where: chosen.contains), machine.mayUsePortal,
            await DesktopPortal(environment: environment).isThere()
        else { return (found, missing) }
        return (["portal"] + found, missing)
    }

    /// The command lines that the app or the user chose, unchanged.
    private func chosenCommands(_ command: [String]?) -> [[String]] {
        // Colons separate alternatives, and spaces separate arguments, as in xdg-open.
        let alternatives = (environment["BROWSER"] ?? "").split(separator: ":").map { alternative in
            alternative.split(separator: " ").map(String.init)
        }
        return ([command ?? []] + alternatives).filter { !$0.isEmpty }
    }

    /// Windows starts the browser for a URL that is passed to its shell. The shell reads it as a single-quoted string,
    /// in which only an apostrophe is special (Microsoft's page "about_Quoting_Rules").
    private func desktopCommand(_ program: String) -> [String] {
        guard program == SignInEnvironment.windowsShell else { return [program] }
        return [program, "-NoProfile", "-NonInteractive", "-Command", "Start-Process '%s'"]
    }
}

extension SignInEnvironment {
    fileprivate static let windowsShell = "powershell.exe"

    /// The programs with which a desktop opens a page.
    fileprivate var desktopPrograms: [String] {
        var programs: [String] = []
        if hasDisplay { programs.append("xdg-open") }
        // The first one is in a package that few users have installed. The second one is part of Windows.
        if windowsSubsystem != nil { programs += ["wslview", Self.windowsShell] }
        return programs
    }

    /// A remote login shares the session bus with the desktop of the machine. Without its own display, the window would
    /// open on that desktop, where the user may not be.
    fileprivate var mayUsePortal: Bool { hasDisplay || !isRemoteLogin }
}
