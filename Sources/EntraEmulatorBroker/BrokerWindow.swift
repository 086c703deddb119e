// Licensed under the MIT License. See LICENSE.

/// The user's response to the window that the broker opens for an interactive call.
public enum BrokerWindow: Sendable, Hashable {
    /// The device's user immediately does what the page would request: signs in again, consents, provides a second
    /// factor. No page is opened.
    case deviceUser
    /// The user with this name does the same, and is signed in to the device from then on. No page is opened.
    case person(String)
    /// A program opens the emulator's page: its path or name, and arguments before the address. A user signs in there.
    case browser([String])
    /// The window stays open until the app cancels the call.
    case nobody
    /// The user closes the window.
    case closed
}
