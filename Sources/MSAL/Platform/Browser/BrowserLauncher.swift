// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Opens a URL in the user's browser (docs/reference/RedirectURIs.md#launchers).
///
/// The first launcher that works is taken: the configured command, `$BROWSER`, the desktop portal, `xdg-open`, and under WSL
/// the browser of Windows. Programs are started directly with a list of arguments. No shell ever sees the URL.
package struct BrowserLauncher: Sendable {
    /// The outcome of one attempt.
    package enum Outcome: Sendable {
        /// A program was started, or the user is choosing a browser. Nobody waits for the end of either.
        case started
        /// The user was asked for a browser and chose none, or the calling task was cancelled meanwhile.
        case canceled
        /// Nothing that was tried opens a browser.
        case unavailable
    }

    private let environment: [String: String]

    init(environment: [String: String]) {
        self.environment = environment
    }

    /// The launchers for `url`, in the order in which they are tried. There is none unless the scheme is `http` or `https`,
    /// because another scheme could make a desktop start any program.
    ///
    /// - Parameters:
    ///   - url: The page. The portal receives it over the bus.
    ///   - start: An address that leads to the page. Programs receive it, because every user may read their arguments.
    ///     Without it they receive `url`.
    ///   - command: The app's own command, if it has one. An empty one opens no browser at all.
    ///   - parentWindow: The app's window in the words of the portal.
    ///   - isPrivate: Whether the window shall be a private one. It is a usual one if no launcher of a private one is
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
        let machine = Surroundings(environment: environment)
        var launchers: [BrowserLaunches.Launcher] = []
        if page.isWeb, command != [] {
            launchers += chosenCommands(command).map { words in
                let wished = isPrivate ? PrivateWindow.command(words) : words
                return .program(wished ?? words, opensUsualWindow: wished == nil)
            }
            if isPrivate, machine.hasDisplay, let words = PrivateWindow.ofDefaultBrowser(environment) {
                launchers.append(.program(words, opensUsualWindow: false))
            }
            if machine.mayUsePortal { launchers.append(.portal(opensUsualWindow: isPrivate)) }
            launchers += machine.desktopPrograms.map { .program(desktopCommand($0), opensUsualWindow: isPrivate) }
        }
        return BrowserLaunches(launchers, of: page, environment: environment)
    }

    /// The launchers that would open a page, in the order of trying, and the programs that are not installed. Nothing is
    /// started. `portal` stands for the desktop portal, which is asked about only if nobody chose a program.
    func find(command: [String]?, on machine: Surroundings) async -> (launchers: [String], missing: [String]) {
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

    /// The command lines that the app or the user chose, as they were written.
    private func chosenCommands(_ command: [String]?) -> [[String]] {
        // Colons separate alternatives, and spaces separate words, as in xdg-open.
        let alternatives = (environment["BROWSER"] ?? "").split(separator: ":").map { alternative in
            alternative.split(separator: " ").map(String.init)
        }
        return ([command ?? []] + alternatives).filter { !$0.isEmpty }
    }

    /// Windows starts the browser for an address that its shell is given. The shell reads it as a text between
    /// apostrophes, in which nothing but an apostrophe has a meaning (Microsoft's page "about_Quoting_Rules").
    private func desktopCommand(_ program: String) -> [String] {
        guard program == Surroundings.windowsShell else { return [program] }
        return [program, "-NoProfile", "-NonInteractive", "-Command", "Start-Process '%s'"]
    }
}

extension Surroundings {
    fileprivate static let windowsShell = "powershell.exe"

    /// The programs by which a desktop opens a page.
    fileprivate var desktopPrograms: [String] {
        var programs: [String] = []
        if hasDisplay { programs.append("xdg-open") }
        // The first one is in a package that few have installed. The second one comes with Windows.
        if windowsSubsystem != nil { programs += ["wslview", Self.windowsShell] }
        return programs
    }

    /// A remote login shares the session bus with the desktop in front of the machine. Without a display of its own, the
    /// window would open on that desktop, where perhaps nobody sits.
    fileprivate var mayUsePortal: Bool { hasDisplay || !isRemoteLogin }
}
