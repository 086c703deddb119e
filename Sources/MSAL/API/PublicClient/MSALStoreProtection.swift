// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The provider of the key that encrypts a token store. Linux only.
///
/// The store is created so, at the first sign-in of its group. A store that was created otherwise is not opened: calls
/// fail with the detail -42008 and a text that names the command which changes the store. If the provider is locked
/// or gone, calls fail and say so, and no other provider is used instead.
///
/// Every provider but ``none`` protects backups, stolen disks and copies of the file, and protects from other users. No
/// provider protects from root or from other programs of the same user: Linux gives programs no identity of their own.
public enum MSALStoreProtection: Sendable, Hashable {
    /// The choice of the environment variable `MSAL_STORE_KEY`, else the secret portal in a Flatpak sandbox, else the
    /// desktop's Secret Service, else a key file if no Secret Service runs or can be started. The default.
    ///
    /// A store that exists goes on with the provider it was created with, except ``none``, and except a key file while
    /// the unlocked Secret Service holds a key for the same directory.
    ///
    /// The variable may be `auto`, `secret-service`, `portal`, `key-file`, `credential-file:<path or name>`, `none` or
    /// `memory`.
    case automatic

    /// An item of the desktop's Secret Service: GNOME Keyring, KWallet or KeePassXC.
    case secretService

    /// The secret that the desktop's portal gives to an app in a Flatpak sandbox (`org.freedesktop.portal.Secret`).
    ///
    /// Only that app can open the store: neither another app nor a program outside of the sandbox. Calls fail with the
    /// detail -42008 where there is no sandbox, or no such portal.
    case portal

    /// A file beside the store that only the user can read.
    ///
    /// It protects a copy of the database alone, not one of the whole directory.
    case keyFile

    /// A file that holds the key: 32 random bytes, or their base64 or hexadecimal form. It is only read.
    ///
    /// The file must belong to the user or to root, and nobody else may read it.
    /// `head -c 32 /dev/urandom > FILE && chmod 600 FILE` makes one.
    case credentialFile(URL)

    /// A file of this name in `$CREDENTIALS_DIRECTORY`, where systemd's `LoadCredential=` puts it.
    case systemCredential(String)

    /// No key: **tokens lie in the file as plain text**, protected by its rights alone. Such a store is opened only
    /// where this is asked for by name.
    case none

    /// No store on disk: accounts and tokens last as long as the application object.
    case inMemory
}

extension MSALStoreProtection {
    /// The choice as the core reads it.
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

    /// The same choice for apps. A credential file is a path or a name, as in `MSAL_STORE_KEY`.
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
