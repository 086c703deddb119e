// Licensed under the MIT License. See LICENSE.

/// For whom the sign-in page lists the people of the directory, whom one click signs in.
public enum PeopleList: String, Sendable, CaseIterable {
    /// For programs of this machine, unless others reach the emulator.
    case onLoopback
    /// For nobody.
    case hidden
    /// For everybody who reaches it.
    case everywhere
}
