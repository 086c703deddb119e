// Licensed under the MIT License. See LICENSE.

/// Functions for a program that acts as the user in the browser.
extension Emulator {
    /// The account with a name. It includes the password if the emulator knows it.
    package func account(named name: String) -> EmulatorDirectory.User? {
        // If the store cannot be read, there is no account, and the pages show the reason.
        try? parts.editor.user(name)
    }

    /// The latest code for the address shown on a page, either in full or, as in the service, with asterisks.
    ///
    /// `account`: The user of the page, whose addresses take precedence over those of others.
    package func newestCode(shownIn text: String, for account: EmulatorDirectory.User?) -> String? {
        let own =
            [account?.userPrincipalName].compactMap { $0 }
            + ((account?.customer?.strongMethods ?? account?.strongMethods ?? []).map(\.address))
        let fitting = outbox.filter { text.contains($0.recipient) || text.contains(StrongMethod.masked($0.recipient)) }
        return (fitting.last { own.contains($0.recipient) } ?? fitting.last)?.code
    }

    /// The names of a few accounts, for an error message.
    package var someAccountNames: [String] {
        // If the store cannot be read, the error contains no names.
        ((try? parts.editor.users(after: "", limit: 10)) ?? []).map(\.userPrincipalName)
    }

    /// The host names of the service that emulators accept, too, except for those with a wildcard.
    package static var serviceNames: [String] {
        ServerIdentity.serviceNames.filter { !$0.contains("*") }
    }
}
