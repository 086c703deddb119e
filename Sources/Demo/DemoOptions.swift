// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards

/// The settings that the command line makes.
struct DemoOptions {
    /// A mistake in the command line.
    struct UsageError: LocalizedError {
        let message: String
        var errorDescription: String? { "\(message)\nSee: scripts/demo --help" }
    }

    static let help = """
        Signs a user in, calls Graph, gets a second token silently and signs out; says what happens and why.

        USAGE: scripts/demo [--headless | --browser] [--client-id <id> [--authority <url>]]

        EXAMPLES
          scripts/demo                    against the emulator, which it starts; in a browser if there is a display
          scripts/demo --headless         the same without a browser: a program fills in the pages
          scripts/demo --client-id 11112222-bbbb-3333-cccc-4444dddd5555
                                          against Microsoft's service, with your own app registration

        OPTIONS
          --headless          Let a scripted user agent sign in. The default where there is no display.
          --browser           Sign in through a browser, although no display is seen.
          --client-id <id>    The application id of a registration with the redirect URI http://localhost under
                              "Mobile and desktop applications". Without it, the emulator is used.
          --authority <url>   The authority there: https://login.microsoftonline.com/<tenant>.
                              Everybody by default.
          -h, --help          Show this.

        """

    /// Whether only the help is wanted.
    private(set) var wantsHelp = false
    /// Whether the scripted agent signs in instead of a browser.
    private(set) var isHeadless: Bool
    /// Whether a window can be opened here.
    let hasDisplay: Bool
    /// The app registration at the real service; `nil` means the emulator.
    private(set) var clientID: String?
    /// The authority at the real service; `nil` means the one for all accounts.
    private(set) var authority: URL?

    /// - Throws: `UsageError`, for an argument that it does not know or that does not go with another.
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
            default: throw UsageError(message: "There is no argument \(argument).")
            }
        }
        if clientID == nil, authority != nil { throw UsageError(message: "--authority needs --client-id.") }
        if clientID != nil, isHeadless == true {
            throw UsageError(message: "The scripted user agent signs in at the emulator only.")
        }
        self.isHeadless = isHeadless ?? (!hasDisplay && clientID == nil)
    }

    private static func value(of option: String, _ next: String?) throws(UsageError) -> String {
        guard let next, !next.isEmpty, !next.hasPrefix("-") else {
            throw UsageError(message: "\(option) needs a value.")
        }
        return next
    }

    private static func address(of option: String, _ next: String?) throws(UsageError) -> URL {
        let text = try value(of: option, next)
        guard let address = ServerAddress(text), let url = URL(string: address.text) else {
            throw UsageError(
                message: "\(option) needs an address that begins with https://, with a host, no user and a port up to "
                    + "65535, and not \(text)."
            )
        }
        return url
    }
}
