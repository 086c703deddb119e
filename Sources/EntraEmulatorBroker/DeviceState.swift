// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Synchronization

/// A user who is signed in to the device.
struct DeviceAccount: Sendable {
    let signIn: DeviceSignIn
    let person: Emulator.DeviceUser

    var homeAccountID: String { "\(person.userID).\(person.homeTenantID)".lowercased() }
}

/// The broker's state of the device: who is signed in, and how the device was set up.
final class DeviceState: Sendable {
    private struct Values {
        /// The accounts, the device's user first.
        var accounts: [DeviceAccount] = []
        /// The accounts that clients have removed for themselves, as `client ID/home account ID`.
        var hidden: Set<String> = []
        var isShared: Bool
        var hasLeft = false
        var window: BrokerWindow
        /// The calls with an open window, by correlation ID.
        var windows: [String: AsyncStream<WindowEnd>.Continuation] = [:]
    }

    private let values: Mutex<Values>
    /// Whether only the device's user can be signed in, as with a broker for a single account. The same applies to a
    /// shared device.
    private let isForOne: Bool
    /// The ID under which the device is registered.
    let deviceID = UUID().uuidString.lowercased()

    init(isShared: Bool, isForOne: Bool, window: BrokerWindow) {
        values = Mutex(Values(isShared: isShared, window: window))
        self.isForOne = isForOne
    }

    var isShared: Bool {
        get { values.withLock { $0.isShared } }
        set { values.withLock { $0.isShared = newValue } }
    }

    var window: BrokerWindow {
        get { values.withLock { $0.window } }
        set { values.withLock { $0.window = newValue } }
    }

    var hasLeft: Bool { values.withLock { $0.hasLeft } }

    // MARK: Accounts

    var accounts: [DeviceAccount] { values.withLock { $0.accounts } }

    /// The accounts that are visible to a client.
    func accounts(for clientID: String) -> [DeviceAccount] {
        values.withLock { values in
            values.accounts.filter { !values.hidden.contains(Self.key(clientID: clientID, account: $0)) }
        }
    }

    /// Signs a user in, and returns the sign-ins that this ends.
    func add(_ account: DeviceAccount, asDeviceUser: Bool) -> [DeviceSignIn] {
        values.withLock { values in
            values.hasLeft = false
            let isAlone = isForOne || values.isShared
            let ended = values.accounts.filter { isAlone || $0.homeAccountID == account.homeAccountID }
            let others = values.accounts.filter { other in !ended.contains { $0.signIn.id == other.signIn.id } }
            let keepsPlace = values.accounts.first?.homeAccountID == account.homeAccountID
            values.accounts = asDeviceUser || keepsPlace ? [account] + others : others + [account]
            values.hidden = values.hidden.filter { !$0.hasSuffix("/" + account.homeAccountID) || !asDeviceUser }
            return ended.map(\.signIn)
        }
    }

    /// Signs all users out, and returns the sign-ins that this ends.
    func removeAll(leaving: Bool = false) -> [DeviceSignIn] {
        values.withLock { values in
            if leaving { values.hasLeft = true }
            defer { values.accounts = [] }
            return values.accounts.map(\.signIn)
        }
    }

    func hide(_ account: DeviceAccount, from clientID: String) {
        _ = values.withLock { $0.hidden.insert(Self.key(clientID: clientID, account: account)) }
    }

    func show(_ account: DeviceAccount, to clientID: String) {
        _ = values.withLock { $0.hidden.remove(Self.key(clientID: clientID, account: account)) }
    }

    private static func key(clientID: String, account: DeviceAccount) -> String {
        "\(clientID.lowercased())/\(account.homeAccountID)"
    }

    // MARK: Windows

    /// The end of a window.
    enum WindowEnd: Sendable {
        case page(BrokerWindowResult)
        /// The app has canceled the call.
        case canceled
    }

    /// The number of windows that are currently open.
    var openWindows: Int { values.withLock { $0.windows.count } }

    /// The end of a call's window. The window is open until it ends, or until the caller stops waiting for it.
    func window(of correlationID: String) -> AsyncStream<WindowEnd> {
        let (stream, continuation) = AsyncStream.makeStream(of: WindowEnd.self)
        let key = correlationID.lowercased()
        continuation.onTermination = { _ in self.values.withLock { $0.windows[key] = nil } }
        values.withLock { $0.windows[key] = continuation }
        return stream
    }

    /// Ends the window of a call, which may have ended before.
    func endWindow(of correlationID: String, _ end: WindowEnd) {
        let waiting = values.withLock { $0.windows.removeValue(forKey: correlationID.lowercased()) }
        waiting?.yield(end)
        waiting?.finish()
    }
}

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
