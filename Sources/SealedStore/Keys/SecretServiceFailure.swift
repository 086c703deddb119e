// Licensed under the MIT License. See LICENSE.

import DBus

/// The reasons why the Secret Service did not return or store a key, each with a remedy.
enum SecretServiceFailure: Error, Sendable {
    case noBus(String)
    case noService
    /// The process that owns the service's name runs as a user other than this process's user or root.
    case untrusted(user: UInt32)
    case noCollection
    case locked
    /// The user dismissed the prompt.
    case declined
    /// The user did not respond to the prompt.
    case unanswered(Duration)
    case slow(Duration)
    /// The service exited during the call.
    case died
    case canceled
    /// An error with the name that the service returned.
    case refused(String)
    /// The response is invalid.
    case nonsense
    /// The item exists, but its content is not a key.
    case notAKey
    /// The service has another key under the name.
    case occupied
    /// The item could not be found after it was created.
    case vanished

    init(_ error: DBusError, limits: SecretService.Limits) {
        switch error.kind {
        case .noBus: self = .noBus(error.message)
        case .timedOut: self = .slow(limits.operation)
        case .canceled: self = .canceled
        case .disconnected: self = .died
        case .untrusted(let user): self = .untrusted(user: user)
        case .malformed: self = .nonsense
        case .remote(let name): self.init(errorName: name)
        }
    }

    private init(errorName: String) {
        switch errorName {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": self = .noService
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected": self = .died
        case "org.freedesktop.Secret.Error.IsLocked": self = .locked
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .noService
        default: self = .refused(errorName)
        }
    }

    private var reason: String {
        switch self {
        case .noBus(let cause): cause
        case .noService: "none is running on the session bus, and none can be started."
        case .untrusted(let user):
            "the program that offers it belongs to another user (uid \(user)), and was not contacted."
        case .noCollection: "it has no default collection (keyring) yet."
        case .locked: "the keyring is locked."
        case .declined: "the prompt to unlock the keyring was dismissed."
        case .unanswered(let time):
            "the prompt to unlock the keyring was not answered within \(time.components.seconds) s."
        case .slow(let time): "it did not respond within \(time.components.seconds) s."
        case .died: "it or the session bus exited before it responded."
        case .canceled: "the call was canceled."
        case .refused(let name): "it returned the error \(name)."
        case .nonsense: "its response does not follow the Secret Service protocol."
        case .notAKey: "the item of this store does not contain a key of 32 bytes in base64."
        case .occupied: "it already has another key under this store's name."
        case .vanished: "it accepted the key but does not return it."
        }
    }

    private var remedy: String {
        switch self {
        case .noBus:
            "SSH logins, cron jobs, services and containers often have no session bus. Run the program in the desktop "
                + "session whose keyring has the key. \(StoreKeyChoice.otherPlaces)"
        case .noService:
            "Start GNOME Keyring, KWallet or KeePassXC. A copied home directory needs its keyring too. "
                + StoreKeyChoice.otherPlaces
        case .untrusted:
            "Find out why another user's program owns the name \(SecretService.name) on this session bus, and run the "
                + "program on a separate bus. \(StoreKeyChoice.otherPlaces)"
        case .noCollection:
            "Create a default keyring: log in to the desktop once, or use its password manager. "
                + "\(Self.asking) \(StoreKeyChoice.otherPlaces)"
        case .locked:
            "Unlock it: log in to the desktop, or use its password manager. \(Self.asking)"
        case .declined, .unanswered: "Unlock the keyring and try again."
        case .slow: "Check whether its window is waiting for a response, or restart it, and try again."
        case .died, .canceled: "Try again."
        case .refused, .nonsense, .vanished: "Check the journal for messages of the Secret Service, and restart it."
        case .notAKey: "Restore the keyring from a backup. Without the key the store's content cannot be read."
        case .occupied: "Nothing was changed."
        }
    }

    private static let asking = "An app prompts for it if it sets allowsUnlockPrompt; so does msal login."

    /// The failure as a store error.
    var storeError: StoreError { KeyLocation.secretService.unavailable("\(reason) \(remedy)", underlying: self) }
}
