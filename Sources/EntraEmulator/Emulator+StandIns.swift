// Licensed under the MIT License. See LICENSE.

/// What a program has to know that plays the person in front of the pages.
extension Emulator {
    /// The account of the directory with that name; `nil` for accounts that were made since the start.
    package func account(named name: String) -> EmulatorDirectory.User? {
        parts.configuration.directory.users.first { $0.userPrincipalName.lowercased() == name.lowercased() }
    }

    /// The names of all accounts of the directory.
    package var accountNames: [String] { parts.configuration.directory.users.map(\.userPrincipalName) }

    /// The names of the service under which the emulator responds, too.
    package var serviceNames: [String] { ServerIdentity.standardNames.filter { $0.contains(".") && !$0.contains("*") } }
}
