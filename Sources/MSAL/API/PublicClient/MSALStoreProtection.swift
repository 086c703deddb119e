// Licensed under the MIT License. See LICENSE.

/// Where the key that encrypts a token store is kept. Linux only.
///
/// It counts when the store is created, at the first sign-in of its group, and is recorded there. A store that exists
/// goes on with the place it was created with; if that place is locked or gone, calls fail and say so, and nothing else
/// takes its place.
///
/// Every place but ``none`` protects backups, stolen disks and copies of the file, and against other users. None
/// protects against root, or against other programs of the same user: Linux gives programs no identity of their own.
public enum MSALStoreProtection: Sendable, Hashable {
    /// What the environment variable `MSAL_STORE_KEY` says, else the desktop's Secret Service, else a key file where no
    /// Secret Service runs or can be started. The default.
    ///
    /// The variable may be `auto`, `secret-service`, `key-file`, `credential-file:<path or name>`, `none` or `memory`.
    case automatic

    /// An item of the desktop's Secret Service: GNOME Keyring, KWallet or KeePassXC.
    case secretService

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

    /// No key: **tokens lie in the file as plain text**, protected by its rights alone.
    case none

    /// No store on disk: accounts and tokens last as long as the application object.
    case inMemory
}

extension MSALStoreProtection {
    /// The choice as the core reads it.
    var choice: StoreKeyChoice {
        switch self {
        case .automatic: .automatic
        case .secretService: .secretService
        case .keyFile: .keyFile
        case .credentialFile(let file): .credentialFile(file.absoluteURL.path(percentEncoded: false))
        case .systemCredential(let name): .credentialFile(name)
        case .none: .none
        case .inMemory: .memory
        }
    }
}
