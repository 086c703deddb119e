// Licensed under the MIT License. See LICENSE.

/// What a program has to know that plays the person in front of the pages.
extension Emulator {
    /// The account of the directory with that name; `nil` for accounts that were made since the start.
    package func account(named name: String) -> EmulatorDirectory.User? {
        parts.configuration.directory.users.first { $0.userPrincipalName.lowercased() == name.lowercased() }
    }

    /// The newest code that was sent to an address which a page names in full or, as the service does, with asterisks.
    ///
    /// `account`: The person at the page, whose addresses come before those of others.
    package func newestCode(shownIn text: String, for account: EmulatorDirectory.User?) -> String? {
        let own =
            [account?.userPrincipalName].compactMap { $0 }
            + ((account?.customer?.strongMethods ?? account?.strongMethods ?? []).map(\.address))
        let fitting = outbox.filter { text.contains($0.recipient) || text.contains(StrongMethod.masked($0.recipient)) }
        return (fitting.last { own.contains($0.recipient) } ?? fitting.last)?.code
    }

    /// The names of all accounts of the directory.
    package var accountNames: [String] { parts.configuration.directory.users.map(\.userPrincipalName) }

    /// The names of the service under which emulators respond, too.
    package static var serviceNames: [String] {
        // Neither addresses nor the names that stand for many.
        ServerIdentity.standardNames.filter { $0.contains(".") && $0.contains(where: \.isLetter) && !$0.contains("*") }
    }
}
