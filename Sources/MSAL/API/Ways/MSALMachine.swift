// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The properties of the machine that determine how a user can sign in. Linux only.
public struct MSALMachine: Sendable, Hashable, CustomStringConvertible {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// Examines the machine. Nothing is started.
    ///
    /// - Parameters:
    ///   - environment: The variables to read; by default, those of the process.
    ///   - browserCommand: The app's own browser command, as in ``MSALPublicClientApplicationConfig/browserCommand``.
    /// - Returns: The properties. They change with the environment: call it again where that matters.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        browserCommand: [String]? = nil
    ) async -> MSALMachine {
        let agent = SystemBrowserAgent(environment: environment, time: SystemTime())
        // An empty command means no browser to the agent, but no own command to an app.
        let command = browserCommand.flatMap { $0.isEmpty ? nil : $0 }
        return MSALMachine(await agent.surroundings(browserCommand: command))
    }

    /// `DISPLAY`, the X11 display.
    public var display: String? { surroundings.display }
    /// `WAYLAND_DISPLAY`, the Wayland display.
    public var waylandDisplay: String? { surroundings.waylandDisplay }
    /// Whether the program runs in a remote login session.
    public var isRemoteLogin: Bool { surroundings.isRemoteLogin }
    /// Whether the user can type: standard input and standard error are terminals.
    public var hasTerminal: Bool { surroundings.hasTerminal }
    /// Whether the program runs in CI.
    public var isAutomatic: Bool { surroundings.isAutomatic }
    /// Whether the user has a home directory.
    public var hasHome: Bool { surroundings.hasHome }
    /// The Linux distribution under Windows (WSL); `nil` elsewhere.
    public var windowsSubsystem: String? { surroundings.windowsSubsystem }
    /// The type of container, such as `docker`; `nil` outside of containers.
    public var container: String? { surroundings.container }
    /// The type of sandbox, `flatpak` or `snap`; `nil` outside of sandboxes.
    public var sandbox: String? { surroundings.sandbox }
    /// The programs that open a page here, in the order in which they are tried. `portal` is the desktop portal.
    public var launchers: [String] { surroundings.launchers }
    /// The programs that were searched for and are not installed.
    public var missingLaunchers: [String] { surroundings.missingLaunchers }

    /// The `ssh` command that forwards a port of the user's own machine to the same port of this one.
    ///
    /// - Returns: The command to enter on the user's own machine; `nil` outside of SSH sessions.
    public func portForwardingCommand(port: Int) -> String? { surroundings.forwardingCommand(port: port) }

    /// A description of these properties.
    public var description: String { surroundings.words }
}
