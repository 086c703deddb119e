// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The provider of the key that encrypts a token store. Linux only.
///
/// Applies when the store is created, at the first sign-in of its group. A store that was created with another
/// protection is not opened: calls fail with the detail -42008 and a message that names the command for changing the
/// store. If the provider is locked or missing, calls fail accordingly, without a fallback.
///
/// Every provider except ``none`` protects backups, stolen disks, and copies of the file, and protects against other
/// users. No provider protects against root or other programs of the same user: Linux gives programs no separate
/// identity.
public enum MSALStoreProtection: Sendable, Hashable {
    /// The value of the environment variable `MSAL_STORE_KEY`, otherwise the secret portal in a Flatpak sandbox,
    /// otherwise the desktop's Secret Service, otherwise a key file if no Secret Service is running or can be started.
    /// The default.
    ///
    /// An existing store keeps the provider that it was created with, except for ``none``, and except for a key file
    /// while the unlocked Secret Service has a key for the same directory.
    ///
    /// The variable may be `auto`, `secret-service`, `portal`, `key-file`, `credential-file:<path or name>`, `none` or
    /// `memory`.
    case automatic

    /// An item of the desktop's Secret Service: GNOME Keyring, KWallet, or KeePassXC.
    case secretService

    /// The secret that the desktop portal provides to an app in a Flatpak sandbox (`org.freedesktop.portal.Secret`).
    ///
    /// Only that app can open the store, not another app or a program outside of the sandbox. Calls fail with the
    /// detail -42008 if there is no sandbox or no such portal.
    case portal

    /// A file next to the store that only the user can read.
    ///
    /// It protects a copy of the database, but not a copy of the whole directory.
    case keyFile

    /// A file with the key: 32 random bytes, or their base64 or hexadecimal form. It is never written.
    ///
    /// The file must belong to the user or to root and be unreadable for others. To create one:
    /// `head -c 32 /dev/urandom > FILE && chmod 600 FILE`.
    case credentialFile(URL)

    /// A file of this name in `$CREDENTIALS_DIRECTORY`, where systemd's `LoadCredential=` puts it.
    case systemCredential(String)

    /// No key: **tokens are in the file as plain text**, protected only by its permissions. Such a store is opened only
    /// on explicit request.
    case none

    /// No store on disk: accounts and tokens last as long as the application object.
    case inMemory
}

extension MSALStoreProtection {
    /// The choice as a value of the core.
    var choice: StoreKeyChoice {
        switch self {
        case .automatic: .automatic
        case .secretService: .location(.secretService)
        case .portal: .location(.portal)
        case .keyFile: .location(.keyFile)
        case .credentialFile(let file):
            .location(.credentialFile, file: file.absoluteURL.path(percentEncoded: false))
        case .systemCredential(let name): .location(.credentialFile, file: name)
        case .none: .location(.none)
        case .inMemory: .memory
        }
    }

    /// The same choice as a public value. A credential file is a path or a name, as in `MSAL_STORE_KEY`.
    init(_ choice: StoreKeyChoice) {
        switch choice {
        case .automatic: self = .automatic
        case .location(.secretService, _): self = .secretService
        case .location(.portal, _): self = .portal
        case .location(.keyFile, _): self = .keyFile
        case .location(.credentialFile, let file):
            let file = file ?? CredentialFileKeys.usualName
            self = file.hasPrefix("/") ? .credentialFile(URL(filePath: file)) : .systemCredential(file)
        case .location(.none, _): self = .none
        case .memory: self = .inMemory
        }
    }
}
