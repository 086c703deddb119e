// Licensed under the MIT License. See LICENSE.

import Foundation

/// The facts about the machine that decide how a user can sign in. A plain value, so that tests can make any machine.
package struct SignInEnvironment: Sendable, Hashable {
    /// `DISPLAY`, the X11 display.
    package var display: String?
    /// `WAYLAND_DISPLAY`, the Wayland display.
    var waylandDisplay: String?
    /// Whether the program runs in a remote login.
    package var isRemoteLogin = false
    var ssh: SSHConnection?
    /// The user's name on this machine.
    var user: String?
    /// Whether the user can type: standard input and standard error are terminals.
    package var hasTerminal = false
    /// Whether an automatic build runs the program.
    package var isAutomatic = false
    package var hasHome = true
    /// The Linux distribution that runs beneath Windows.
    package var windowsSubsystem: String?
    /// The kind of container, such as `docker`.
    package var container: String?
    /// The kind of sandbox: `flatpak` or `snap`.
    package var sandbox: String?
    /// The programs that open a page here, in the order of trying; `portal` is the desktop portal.
    package var launchers: [String] = []
    /// The programs that were looked for and are not installed.
    package var missingLaunchers: [String] = []

    /// Whether the identity broker of this machine can be reached, and why not. It is looked for only for a request that
    /// may use one.
    var broker = BrokerAvailability.absent("no identity broker is on this machine")

    package init() {}

    /// Whether a user may be expected to open an address by hand.
    var isAttended: Bool { hasTerminal && !isAutomatic }

    package var hasDisplay: Bool { display != nil || waylandDisplay != nil }

    /// A description of the facts.
    package var explanation: String {
        var parts: [String] = []
        if isRemoteLogin { parts.append("a remote login") }
        if let container { parts.append("a \(container) container") }
        if let sandbox { parts.append("a \(sandbox) sandbox") }
        if let windowsSubsystem { parts.append("\(windowsSubsystem) beneath Windows") }
        if isAutomatic { parts.append("an automatic build") }
        parts.append(hasDisplay ? "a display" : "no display")
        parts.append(hasTerminal ? "a terminal" : "no terminal")
        if !hasHome { parts.append("no home directory") }
        return parts.joined(separator: ", ")
    }

    /// The command that forwards a port from the user's own machine; `nil` outside of remote logins.
    package func forwardingCommand(port: Int) -> String? {
        ssh?.forwardingCommand(port: port, user: user)
    }
}

extension SignInEnvironment {
    /// Reads the facts from the environment and the file system. Launchers are detected elsewhere.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - exists: Whether there is a file; the machine's own unless given.
    ///   - isTerminal: Whether a descriptor is a terminal; the machine's own unless given.
    package init(
        environment: [String: String],
        exists: (_ path: String) -> Bool = { FileManager.default.fileExists(atPath: $0) },
        isTerminal: (_ descriptor: Int32) -> Bool = { isatty($0) == 1 }
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        display = value("DISPLAY")
        waylandDisplay = value("WAYLAND_DISPLAY")
        isRemoteLogin = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { value($0) != nil }
        ssh = value("SSH_CONNECTION").flatMap(SSHConnection.init)
        user = value("USER") ?? value("LOGNAME")
        hasTerminal = isTerminal(0) && isTerminal(2)
        isAutomatic = ["CI", "TF_BUILD", "GITHUB_ACTIONS"].contains { value($0).map { $0 != "false" } ?? false }
        hasHome = value("HOME").map { $0.hasPrefix("/") && exists($0) } ?? false
        windowsSubsystem = value("WSL_DISTRO_NAME") ?? value("WSL_INTEROP").map { _ in "Linux" }
        container = Self.container(value: value, exists: exists)
        sandbox =
            if value("FLATPAK_ID") != nil || exists("/.flatpak-info") {
                "flatpak"
            } else if value("SNAP_INSTANCE_NAME") != nil {
                "snap"
            } else {
                nil
            }
    }

    private static func container(value: (String) -> String?, exists: (String) -> Bool) -> String? {
        // systemd's container interface names the manager; the values are podman, lxc, systemd-nspawn, and others.
        if let name = value("container"), name.wholeMatch(of: /[A-Za-z0-9-]{1,32}/) != nil, name != "flatpak" {
            return name
        }
        if value("KUBERNETES_SERVICE_HOST") != nil { return "Kubernetes" }
        if exists("/.dockerenv") { return "docker" }
        return exists("/run/.containerenv") ? "podman" : nil
    }
}

/// The connection of a remote login, as sshd describes it in `SSH_CONNECTION` (sshd(8)).
package struct SSHConnection: Sendable, Hashable {
    /// The address at which this machine was reached.
    let serverAddress: String
    let serverPort: Int

    /// Reads `client address, client port, server address, server port`; `nil` for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, let port = UInt16(words[3]), Self.isAddress(words[2]) else { return nil }
        serverAddress = words[2]
        serverPort = Int(port)
    }

    /// The command that leads a port of the user's own machine to the same port of this one.
    ///
    /// `user` is the name on this machine. A name that a shell would read otherwise is left out.
    func forwardingCommand(port: Int, user: String?) -> String {
        var words = ["ssh", "-N", "-L", "\(port):localhost:\(port)"]
        if serverPort != 22 { words += ["-p", String(serverPort)] }
        let name = user.flatMap { $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._-]*/) == nil ? nil : $0 }
        words.append((name.map { $0 + "@" } ?? "") + serverAddress)
        return words.joined(separator: " ")
    }

    /// The line is for a shell: an address has nothing that a shell would act on.
    private static func isAddress(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?/) != nil
    }
}
