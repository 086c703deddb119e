// Licensed under the MIT License. See LICENSE.

/// The way in which a sign-in opens its page on this machine. Linux only.
public enum MSALBrowser: Sendable, Hashable {
    /// This program, from `BROWSER` or of the desktop.
    case program(String)
    /// The desktop portal, with the browser of its choice.
    case portal
    /// No way is known. These programs were looked for and are not installed. The user opens the page's address, which
    /// ``MSALWebviewParameters/onOpen`` names.
    case none(missing: [String])

    /// Looks for the way that is tried first. Nothing is started.
    ///
    /// - Parameter environment: Where `BROWSER`, `DISPLAY` and the like are read; the process's own unless given.
    /// - Returns: The way, or ``none(missing:)``.
    public static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> MSALBrowser {
        guard let page = URL(string: "https://login.microsoftonline.com/") else { return .none(missing: []) }
        let launcher = BrowserLauncher(environment: environment)
        switch await launcher.way(for: page, command: nil) {
        case .program(let program): return .program(program)
        case .portal: return .portal
        case nil: return .none(missing: launcher.commands(for: page, command: nil).compactMap(\.first))
        }
    }
}
