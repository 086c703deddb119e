// Licensed under the MIT License. See LICENSE.

/// The clients for which the sign-in page lists the users of the directory. Clicking a user signs in.
public enum PeopleList: String, Sendable, CaseIterable {
    /// Clients on this machine see the list, unless other machines can reach the emulator.
    case onLoopback
    /// The list is never shown.
    case hidden
    /// All clients see the list.
    case everywhere
}
