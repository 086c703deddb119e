// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The facts about the machine that decide how a user can sign in. Linux only.
public struct MSALMachine: Sendable, Hashable, CustomStringConvertible {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// Looks at the machine. Nothing is started.
    ///
    /// - Parameters:
    ///   - environment: The variables to read; those of the process unless given.
    ///   - browserCommand: The app's own command for a browser, as in
    ///     ``MSALPublicClientApplicationConfig/browserCommand``.
    /// - Returns: The facts. They change with the environment: look again where that matters.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        browserCommand: [String]? = nil
    ) async -> MSALMachine {
        let agent = SystemBrowserAgent(environment: environment, time: SystemTime())
        // An empty command means no browser to the agent, and none of its own to an app.
        let command = browserCommand.flatMap { $0.isEmpty ? nil : $0 }
        return MSALMachine(await agent.surroundings(browserCommand: command))
    }

    /// `DISPLAY`, the X11 display.
    public var display: String? { surroundings.display }
    /// `WAYLAND_DISPLAY`, the Wayland display.
    public var waylandDisplay: String? { surroundings.waylandDisplay }
    /// Whether the program runs in a remote login.
    public var isRemoteLogin: Bool { surroundings.isRemoteLogin }
    /// Whether somebody can type: standard input and standard error are terminals.
    public var hasTerminal: Bool { surroundings.hasTerminal }
    /// Whether an automatic build runs the program.
    public var isAutomatic: Bool { surroundings.isAutomatic }
    /// Whether the user has a home directory.
    public var hasHome: Bool { surroundings.hasHome }
    /// The Linux distribution that runs beneath Windows; `nil` elsewhere.
    public var windowsSubsystem: String? { surroundings.windowsSubsystem }
    /// The kind of container, such as `docker`; `nil` outside.
    public var container: String? { surroundings.container }
    /// The kind of sandbox, `flatpak` or `snap`; `nil` outside.
    public var sandbox: String? { surroundings.sandbox }
    /// The programs that open a page here, in the order of trying. `portal` is the desktop portal.
    public var launchers: [String] { surroundings.launchers }
    /// The programs that were looked for and are not installed.
    public var missingLaunchers: [String] { surroundings.missingLaunchers }

    /// The `ssh` command that leads a port of the user's own machine to the same port of this one.
    ///
    /// - Returns: The line, to be typed on the user's own machine; `nil` outside of remote logins by SSH.
    public func portForwardingCommand(port: Int) -> String? { surroundings.forwardingCommand(port: port) }

    /// The facts in words.
    public var description: String { surroundings.words }
}
