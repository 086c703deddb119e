// Licensed under the MIT License. See LICENSE.

import DBus

/// The reasons why the secret portal returned no key, each with a remedy.
enum SecretPortalFailure: Error, Sendable {
    /// The program is not sandboxed. Outside of a sandbox, the portal has at most one secret for all programs.
    case noSandbox
    case noBus(String)
    case noPortal
    /// The process that owns the portal's name runs as this user, who is neither the current user nor root.
    case untrusted(user: UInt32)
    /// The user dismissed the portal's prompt.
    case declined
    /// No response arrived in time.
    case unanswered(Duration)
    /// The portal or the bus exited during the call.
    case died
    case canceled
    /// The portal reports a failure without a reason.
    case failed
    /// An error with the name that the portal returned.
    case refused(String)
    /// The response is invalid, or the data from the pipe is not a secret.
    case nonsense
    /// The system cannot create a pipe; the errno.
    case noPipe(Int32)
    /// The portal's key differs from the key to store.
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
        case .noSandbox: "this program does not run in a Flatpak sandbox."
        case .noBus(let cause): cause
        case .noPortal: "the desktop has no portal that keeps secrets."
        case .untrusted(let user):
            "the program that offers it belongs to another user (uid \(user)), and was not contacted."
        case .declined: "the prompt to unlock the keyring was dismissed."
        case .unanswered(let time): "it did not respond within \(time.components.seconds) s."
        case .died: "it or the session bus exited before it responded."
        case .canceled: "the call was canceled."
        case .failed: "it reports a failure."
        case .refused(let name): "it returned the error \(name)."
        case .nonsense: "its response does not contain a secret."
        case .noPipe(let number): "the system could not create a pipe (error \(number))."
        case .readOnly: "it provides a key and cannot store another one."
        }
    }

    private var remedy: String {
        switch self {
        case .noSandbox:
            "The portal provides a secret only to sandboxed apps. \(StoreKeyChoice.otherPlaces)"
        case .noBus: "Give the sandbox access to the session bus. \(StoreKeyChoice.otherPlaces)"
        case .noPortal:
            "Install xdg-desktop-portal and the desktop's backend for it, such as GNOME Keyring. "
                + StoreKeyChoice.otherPlaces
        case .untrusted: "Find out why another user's program owns the portal's name on this session bus."
        case .declined: "Unlock the keyring and try again."
        case .unanswered:
            "The keyring may be locked: unlock it and try again. An app waits for the user to unlock it if "
                + "it sets allowsUnlockPrompt."
        case .died, .canceled: "Try again."
        case .failed, .refused, .nonsense:
            "Check the journal for messages of xdg-desktop-portal, and check that the keyring is unlocked."
        case .noPipe: "Close files, or raise the limit of open files (ulimit -n)."
        case .readOnly: "Nothing was changed."
        }
    }

    /// The failure as a store error.
    var storeError: StoreError { KeyLocation.portal.unavailable("\(reason) \(remedy)", underlying: self) }
}
