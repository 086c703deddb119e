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
