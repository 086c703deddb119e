// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal redirect`, the commands for the custom schemes with which browsers return to apps.
struct RedirectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redirect",
        abstract: "Register the URL scheme that returns a browser to an app.",
        usage: "msal redirect <command> [options]",
        discussion: """
            For apps with a redirect URI such as msauth.com.contoso.app://auth. A desktop entry tells the desktop \
            which program handles the redirect. By default that is msal redirect, which passes the redirect to the \
            waiting sign-in.
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
        abstract: "Pass a redirect to the waiting sign-in.",
        discussion: """
            For the desktop entry of an app whose redirect URI has a custom scheme (Exec=msal redirect %u). The \
            waiting program is found through $XDG_RUNTIME_DIR/msal.
            """,
        shouldDisplay: false
    )

    /// Optional, because the user may have typed only `msal redirect`.
    @Argument(help: ArgumentHelp("The redirect URL.", valueName: "url"))
    var address: String?

    func run() throws {
        guard let address else { throw CleanExit.helpRequest(RedirectCommand.self) }
        guard let url = URL(string: address), url.scheme != nil else {
            // The address may contain a code, so the message does not repeat it.
            throw Failure.usage(
                "Invalid redirect URL.",
                remedy: "Pass the whole redirect, as in: Exec=msal redirect %u"
            )
        }
        guard MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) else {
            throw Failure(
                status: .failed,
                code: MSALError.internal.rawValue,
                message: "No sign-in of this user is waiting for this redirect.",
                remedy: "It may have ended; start it again."
            )
        }
    }
}
