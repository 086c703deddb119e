// Licensed under the MIT License. See LICENSE.

/// The clients to which the sign-in page shows the people of the directory. A click on a person signs in.
public enum PeopleList: String, Sendable, CaseIterable {
    /// Clients on this machine see the list, unless other machines reach the emulator.
    case onLoopback
    /// The page shows the list to nobody.
    case hidden
    /// Everybody who reaches the emulator sees the list.
    case everywhere
}
