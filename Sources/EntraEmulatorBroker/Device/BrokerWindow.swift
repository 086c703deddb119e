// Licensed under the MIT License. See LICENSE.

/// The person's answer to the window that the broker opens for an interactive call.
public enum BrokerWindow: Sendable, Hashable {
    /// The device's user does at once what the page would ask for: signs in again, gives consent, shows a second factor.
    /// No page is opened.
    case deviceUser
    /// The person with this name does the same, and is signed in to the device from then on. No page is opened.
    case person(String)
    /// A program opens the emulator's page: its path or name, and arguments before the address. Somebody signs in there.
    case browser([String])
    /// Nobody looks at it. It stays open until the app cancels the call.
    case nobody
    /// The user closes the window.
    case closed
}
