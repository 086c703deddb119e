// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal redirect`, the commands for the custom schemes with which browsers return to apps.
struct RedirectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redirect",
        abstract: "Register the scheme that leads a browser back to an app.",
        usage: "msal redirect <command> [options]",
        discussion: """
            For apps with a redirect URI such as msauth.com.contoso.app://auth. A desktop entry tells the desktop which \
            program takes the redirect. Without an app of its own, that is msal redirect itself: it hands the redirect to \
            the sign-in that waits for it.
            """,
        subcommands: [
            RedirectRegisterCommand.self, RedirectCheckCommand.self, RedirectUnregisterCommand.self,
            RedirectHandCommand.self,
        ],
        defaultSubcommand: RedirectHandCommand.self
    )
}

/// `msal redirect URL`, which desktop entries call: `Exec=msal redirect %u`.
struct RedirectHandCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hand",
        abstract: "Hand a redirect to the sign-in that waits for it.",
        discussion: """
            For the desktop entry of an app with a redirect URI of its own scheme (Exec=msal redirect %u). The waiting \
            program is found through $XDG_RUNTIME_DIR/msal.
            """,
        shouldDisplay: false
    )

    /// Optional, because the user may have typed only `msal redirect`.
    @Argument(help: ArgumentHelp("The address that the browser was sent to.", valueName: "url"))
    var address: String?

    func run() throws {
        guard let address else { throw CleanExit.helpRequest(RedirectCommand.self) }
        guard let url = URL(string: address), url.scheme != nil else {
            // The address may hold a code, so the message does not repeat it.
            throw Failure.usage("That is no address.", remedy: "Give the whole redirect, as in: Exec=msal redirect %u")
        }
        guard MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) else {
            throw Failure(
                status: .failed,
                code: MSALError.internal.rawValue,
                message: "No sign-in of this user waits for that address.",
                remedy: "It may have ended meanwhile; start it again."
            )
        }
    }
}
