// Licensed under the MIT License. See LICENSE.

/// The means by which a sign-in opens its page on this machine. Linux only.
public enum MSALBrowser: Sendable, Hashable {
    /// The browser is this program, from `BROWSER` or of the desktop.
    case program(String)
    /// The desktop portal, with the browser of its choice.
    case portal
    /// There is none. These programs were looked for and are not installed. The user opens the page's address, which
    /// ``MSALWebviewParameters/onOpen`` names.
    case none(missing: [String])

    /// Looks for the one that is tried first. Nothing is started.
    ///
    /// - Parameter environment: Where `BROWSER`, `DISPLAY` and the like are read; the process's own unless given.
    /// - Returns: The program, the portal, or ``none(missing:)``.
    public static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> MSALBrowser {
        let machine = Surroundings(environment: environment)
        let (launchers, missing) = await BrowserLauncher(environment: environment).find(command: nil, on: machine)
        return switch launchers.first {
        case "portal": .portal
        case let program?: .program(program)
        case nil: .none(missing: missing)
        }
    }
}
