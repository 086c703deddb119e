// Licensed under the MIT License. See LICENSE.

import DBus

/// The reasons why the secret portal gave no key, each with a remedy.
enum SecretPortalFailure: Error, Sendable {
    /// The program is in no sandbox. There the portal has one secret for all programs, if it has any.
    case noSandbox
    case noBus(String)
    case noPortal
    /// The program with the portal's name runs as this user, who is neither ours nor root.
    case untrusted(user: UInt32)
    /// The user closed the portal's question.
    case declined
    /// No response came within the time.
    case unanswered(Duration)
    /// The portal or the bus ended in the middle.
    case died
    case canceled
    /// The portal reports a failure, without a reason.
    case failed
    /// An error that the portal named.
    case refused(String)
    /// A response that makes no sense, or what the pipe held is no secret.
    case nonsense
    /// The system gives no pipe; its number of the reason.
    case noPipe(Int32)
    /// The portal's key is another one than that which is to be kept.
    case readOnly

    init(_ error: DBusError, limit: Duration) {
        switch error.kind {
        case .noBus: self = .noBus(error.message)
        case .timedOut: self = .unanswered(limit)
        case .canceled: self = .canceled
        case .disconnected: self = .died
        case .untrusted(let user): self = .untrusted(user: user)
        case .malformed: self = .nonsense
        case .remote(let name): self.init(errorName: name)
        }
    }

    private init(errorName: String) {
        switch errorName {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface":
            self = .noPortal
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected": self = .died
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .noPortal
        default: self = .refused(errorName)
        }
    }

    private var reason: String {
        switch self {
        case .noSandbox: "this program runs in no Flatpak sandbox."
        case .noBus(let cause): cause
        case .noPortal: "the desktop has no portal that keeps secrets."
        case .untrusted(let user):
            "the program that offers it belongs to another user (uid \(user)), and was told nothing."
        case .declined: "the question to unlock the keyring was declined."
        case .unanswered(let time): "it did not answer within \(time.components.seconds) s."
        case .died: "it ended, or the session bus did, before it answered."
        case .canceled: "the call was cancelled."
        case .failed: "it reports a failure."
        case .refused(let name): "it answered with the error \(name)."
        case .nonsense: "what it gave is no secret."
        case .noPipe(let number): "the system gives no pipe (error \(number))."
        case .readOnly: "it gives a key and takes none."
        }
    }

    private var remedy: String {
        switch self {
        case .noSandbox:
            "The portal gives a secret to an app in a sandbox, and to no other program. \(StoreKeyChoice.otherPlaces)"
        case .noBus: "Give the sandbox the session bus. \(StoreKeyChoice.otherPlaces)"
        case .noPortal:
            "Install xdg-desktop-portal and the part of it that belongs to the desktop, such as that of GNOME Keyring. "
                + StoreKeyChoice.otherPlaces
        case .untrusted: "Find out why another user's program has the portal's name on this session bus."
        case .declined: "Unlock the keyring and try again."
        case .unanswered:
            "A locked keyring waits for the user: unlock it, and try again. An app lets the user answer while it waits if "
                + "it sets allowsUnlockPrompt."
        case .died, .canceled: "Try again."
        case .failed, .refused, .nonsense:
            "Look in the journal for what xdg-desktop-portal reports, and whether the keyring is unlocked."
        case .noPipe: "Close files, or raise the limit of open files (ulimit -n)."
        case .readOnly: "Nothing was changed."
        }
    }

    /// The failure as the store reports it.
    var storeError: StoreError { KeyLocation.portal.unavailable("\(reason) \(remedy)", underlying: self) }
}
