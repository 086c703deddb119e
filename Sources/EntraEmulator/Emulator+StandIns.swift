// Licensed under the MIT License. See LICENSE.

/// The facts for a program that acts as the person in front of the pages.
extension Emulator {
    /// The account with that name. It has the password if the emulator knows it.
    package func account(named name: String) -> EmulatorDirectory.User? {
        // If the store cannot be read, there is no account, and the pages show the reason.
        try? parts.editor.user(name)
    }

    /// The newest code for the address that a page names. The page shows it in full or, as the service does, with
    /// asterisks.
    ///
    /// `account`: The person at the page, whose addresses come before those of others.
    package func newestCode(shownIn text: String, for account: EmulatorDirectory.User?) -> String? {
        let own =
            [account?.userPrincipalName].compactMap { $0 }
            + ((account?.customer?.strongMethods ?? account?.strongMethods ?? []).map(\.address))
        let fitting = outbox.filter { text.contains($0.recipient) || text.contains(StrongMethod.masked($0.recipient)) }
        return (fitting.last { own.contains($0.recipient) } ?? fitting.last)?.code
    }

    /// The names of a few accounts, for an error.
    package var someAccountNames: [String] {
        // If the store cannot be read, the error goes without names.
        ((try? parts.editor.users(after: "", limit: 10)) ?? []).map(\.userPrincipalName)
    }

    /// The names of the service under which emulators respond, too, without those that have a wildcard.
    package static var serviceNames: [String] {
        ServerIdentity.serviceNames.filter { !$0.contains("*") }
    }
}
