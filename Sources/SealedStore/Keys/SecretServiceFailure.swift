// Licensed under the MIT License. See LICENSE.

import DBus

/// The reasons why the Secret Service did not give or take a key, each with a remedy.
enum SecretServiceFailure: Error, Sendable {
    case noBus(String)
    case noService
    /// The program with the service's name runs as another user than this process, and not as root.
    case untrusted(user: UInt32)
    case noCollection
    case locked
    /// The user closed the question.
    case declined
    /// The user did not answer the question.
    case unanswered(Duration)
    case slow(Duration)
    /// The service ended in the middle.
    case died
    case canceled
    /// An error that the service named.
    case refused(String)
    /// A response that makes no sense.
    case nonsense
    /// The item is there, but its content is no key.
    case notAKey
    /// The service keeps another key under the name.
    case occupied
    /// The item could not be found after it was made.
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
        case .noService: "nothing on the session bus offers one, or it cannot be started."
        case .untrusted(let user):
            "the program that offers one belongs to another user (uid \(user)), and was told nothing."
        case .noCollection: "it has no default collection (keyring) yet."
        case .locked: "the keyring is locked."
        case .declined: "the question to unlock the keyring was declined."
        case .unanswered(let time):
            "the question to unlock the keyring was not answered within \(time.components.seconds) s."
        case .slow(let time): "it did not answer within \(Self.text(time))."
        case .died: "it ended, or the session bus did, before it answered."
        case .canceled: "the call was cancelled."
        case .refused(let name): "it answered with the error \(name)."
        case .nonsense: "its answer does not follow the Secret Service protocol."
        case .notAKey: "the item of this store does not hold a key of 32 bytes in base64."
        case .occupied: "it holds another key under this store's name already."
        case .vanished: "it took the key but does not give it back."
        }
    }

    private var remedy: String {
        switch self {
        case .noBus:
            "SSH logins, cron jobs, services and containers often have no session bus. Run the program in the desktop "
                + "session whose keyring holds the key. \(StoreKeyChoice.otherPlaces)"
        case .noService:
            "Start GNOME Keyring, KWallet or KeePassXC. A copied home directory needs its keyring too. "
                + StoreKeyChoice.otherPlaces
        case .untrusted:
            "Find out why another user's program has the name \(SecretService.name) on this session bus, and run the "
                + "program on a bus of its own. \(StoreKeyChoice.otherPlaces)"
        case .noCollection:
            "Create a default keyring: log in to the desktop once, or use its password manager. "
                + "\(Self.asking) \(StoreKeyChoice.otherPlaces)"
        case .locked:
            "Unlock it: log in to the desktop, or use its password manager. \(Self.asking)"
        case .declined, .unanswered: "Unlock the keyring and try again."
        case .slow: "Look whether its window waits for an answer, or restart it, and try again."
        case .died, .canceled: "Try again."
        case .refused, .nonsense, .vanished: "Look in the journal for what the Secret Service reports, and restart it."
        case .notAKey: "Restore the keyring from a backup. Without the key the store's content cannot be read."
        case .occupied: "Nothing was changed."
        }
    }

    private static let asking = "An app asks for it itself if it sets allowsUnlockPrompt; so does msal login."

    private static func text(_ time: Duration) -> String {
        time >= .seconds(1) ? "\(time.components.seconds) s" : "\(time / .milliseconds(1)) ms"
    }

    /// The failure as the store reports it.
    var storeError: StoreError { KeyLocation.secretService.unavailable("\(reason) \(remedy)", underlying: self) }
}
