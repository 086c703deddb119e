// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards

/// The settings from the command line.
struct DemoOptions {
    /// An error in the command line.
    struct UsageError: LocalizedError {
        let message: String
        var errorDescription: String? { "\(message)\nSee: scripts/demo --help" }
    }

    static let help = """
        Signs a user in, calls Graph, gets a second token silently, and signs out, with an explanation of each step.

        USAGE: scripts/demo [--headless | --browser] [--client-id <id> [--authority <url>]]

        EXAMPLES
          scripts/demo                    against the emulator, which it starts; in a browser if there is a display
          scripts/demo --headless         the same without a browser; a program fills in the pages
          scripts/demo --client-id 11112222-bbbb-3333-cccc-4444dddd5555
                                          against Microsoft's service, with your own app registration

        OPTIONS
          --headless          Let a scripted user agent sign in. The default if there is no display.
          --browser           Sign in through a browser, even if no display was found.
          --client-id <id>    The client ID of a registration with the redirect URI http://localhost under
                              "Mobile and desktop applications". Without it, the emulator is used.
          --authority <url>   The authority there: https://login.microsoftonline.com/<tenant>.
                              By default, all accounts can sign in.
          -h, --help          Show this help.

        """

    /// Whether only the help is requested.
    private(set) var wantsHelp = false
    /// Whether the scripted agent signs in instead of a browser.
    private(set) var isHeadless: Bool
    /// Whether a window can be opened here.
    let hasDisplay: Bool
    /// The app registration in the real service; `nil` means the emulator.
    private(set) var clientID: String?
    /// The authority of the real service; `nil` means the one for all accounts.
    private(set) var authority: URL?

    /// - Throws: `UsageError` for an unknown argument, for a missing or invalid value, and for arguments that exclude
    ///   each other.
    init(_ arguments: some Sequence<String>, environment: [String: String]) throws {
        hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        var isHeadless: Bool?
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--headless": isHeadless = true
            case "--browser": isHeadless = false
            case "--client-id": clientID = try Self.value(of: argument, rest.next())
            case "--authority": authority = try Self.address(of: argument, rest.next())
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(message: "Unknown argument \(argument).")
            }
        }
        if clientID == nil, authority != nil { throw UsageError(message: "--authority requires --client-id.") }
        if clientID != nil, isHeadless == true {
            throw UsageError(message: "The scripted user agent can only sign in to the emulator.")
        }
        self.isHeadless = isHeadless ?? (!hasDisplay && clientID == nil)
    }

    private static func value(of option: String, _ next: String?) throws(UsageError) -> String {
        guard let next, !next.isEmpty, !next.hasPrefix("-") else {
            throw UsageError(message: "\(option) requires a value.")
        }
        return next
    }

    private static func address(of option: String, _ next: String?) throws(UsageError) -> URL {
        let text = try value(of: option, next)
        guard let address = ServerAddress(text), let url = URL(string: address.text) else {
            throw UsageError(
                message: "\(option) requires an https address with a host, no user name, and a port up to "
                    + "65535, not \(text)."
            )
        }
        return url
    }
}
