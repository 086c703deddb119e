// Licensed under the MIT License. See LICENSE.

/// How a sign-in opens its page on this machine. Linux only.
public enum MSALBrowser: Sendable, Hashable {
    /// This program, from `BROWSER` or the desktop.
    case program(String)
    /// The desktop portal, which chooses the browser.
    case portal
    /// None. These programs were searched for and are not installed. The user opens the page's address, which
    /// ``MSALWebviewParameters/onOpen`` receives.
    case none(missing: [String])

    /// Finds the launcher that is tried first. Nothing is started.
    ///
    /// - Parameter environment: The source of `BROWSER`, `DISPLAY`, and similar variables; by default, that of the
    ///   process.
    /// - Returns: The program, the portal, or ``none(missing:)``.
    public static func find(environment: [String: String] = ProcessInfo.processInfo.environment) async -> MSALBrowser {
        let machine = SignInEnvironment(environment: environment)
        let (launchers, missing) = await BrowserLauncher(environment: environment).find(command: nil, on: machine)
        return switch launchers.first {
        case "portal": .portal
        case let program?: .program(program)
        case nil: .none(missing: missing)
        }
    }
}
