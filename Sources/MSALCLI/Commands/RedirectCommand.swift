// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal redirect`, which desktop entries call: `Exec=msal redirect %u`.
struct RedirectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redirect",
        abstract: "Hand a redirect to the sign-in that waits for it.",
        discussion: """
            For the desktop entry of an app with a redirect URI of its own scheme (Exec=msal redirect %u). The waiting \
            program is found through $XDG_RUNTIME_DIR/msal.
            """,
        shouldDisplay: false
    )

    @Argument(help: ArgumentHelp("The address that the browser was sent to.", valueName: "url"))
    var address: String

    func run() throws {
        guard let url = URL(string: address), url.scheme != nil else {
            // The address may hold a code, so it is not repeated.
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
