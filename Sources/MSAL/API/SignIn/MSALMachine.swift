// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The properties of the machine that determine how a user can sign in. Linux only.
public struct MSALMachine: Sendable, Hashable, CustomStringConvertible {
    private let signInEnvironment: SignInEnvironment

    init(_ signInEnvironment: SignInEnvironment) { self.signInEnvironment = signInEnvironment }

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
        return MSALMachine(await agent.signInEnvironment(browserCommand: command))
    }

    /// `DISPLAY`, the X11 display.
    public var display: String? { signInEnvironment.display }
    /// `WAYLAND_DISPLAY`, the Wayland display.
    public var waylandDisplay: String? { signInEnvironment.waylandDisplay }
    /// Whether the program runs in a remote login session.
    public var isRemoteLogin: Bool { signInEnvironment.isRemoteLogin }
    /// Whether the user can type: standard input and standard error are terminals.
    public var hasTerminal: Bool { signInEnvironment.hasTerminal }
    /// Whether the program runs in CI.
    public var isAutomatic: Bool { signInEnvironment.isAutomatic }
    /// Whether the user has a home directory.
    public var hasHome: Bool { signInEnvironment.hasHome }
    /// The Linux distribution under Windows (WSL); `nil` elsewhere.
    public var windowsSubsystem: String? { signInEnvironment.windowsSubsystem }
    /// The type of container, such as `docker`; `nil` outside of containers.
    public var container: String? { signInEnvironment.container }
    /// The type of sandbox, `flatpak` or `snap`; `nil` outside of sandboxes.
    public var sandbox: String? { signInEnvironment.sandbox }
    /// The programs that open a page here, in the order in which they are tried. `portal` is the desktop portal.
    public var launchers: [String] { signInEnvironment.launchers }
    /// The programs that were searched for and are not installed.
    public var missingLaunchers: [String] { signInEnvironment.missingLaunchers }

    /// The `ssh` command that forwards a port of the user's own machine to the same port of this one.
    ///
    /// - Returns: The command to enter on the user's own machine; `nil` outside of SSH sessions.
    public func portForwardingCommand(port: Int) -> String? { signInEnvironment.forwardingCommand(port: port) }

    /// A description of these properties.
    public var description: String { signInEnvironment.explanation }
}
