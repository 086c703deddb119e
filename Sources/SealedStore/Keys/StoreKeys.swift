// Licensed under the MIT License. See LICENSE.

/// Selects the provider of a store's key. For a new store, the choice and the environment determine it. An existing
/// store keeps the one that it recorded (docs/reference/Store.md#provider-change).
///
/// Does not access the bus or the file system before the first call, and not at all for a store that is already open.
package struct StoreKeys: StoreKeySource {
    /// The choice for new stores.
    package let choice: StoreKeyChoice

    private let keyFile: any KeyProvider
    private let secretService: SecretServiceKeys
    private let portal: SecretPortalKeys
    private let environment: [String: String]

    /// `keyFile` keeps keys in files next to the store. Except in tests, the Secret Service and the portal are those on
    /// the session bus that `environment` names.
    package init(
        _ choice: StoreKeyChoice = .automatic,
        environment: [String: String],
        keyFile: any KeyProvider = KeyFileKeys(),
        secretService: SecretServiceKeys? = nil,
        portal: SecretPortalKeys? = nil
    ) {
        self.choice = choice
        self.keyFile = keyFile
        self.secretService = secretService ?? SecretServiceKeys(environment: environment)
        self.portal = portal ?? SecretPortalKeys(environment: environment)
        self.environment = environment
    }

    /// The provider for a store that is being created; `nil` for `none`, which means plain payloads.
    ///
    /// Contacts the session bus only for an automatic choice. A portal or a Secret Service that is locked or does not
    /// respond is still chosen: its calls fail, without a fallback.
    ///
    /// Throws `.keyUnavailable` if the bus does not respond in time; try to create the store again.
    package func providerForNewStore(_ keyAccess: KeyAccessOptions) throws(StoreError) -> (any KeyProvider)? {
        switch choice {
        case .automatic:
            if try portal.isOffered(keyAccess) {
                portal
            } else {
                try secretService.canBeReached(keyAccess) ? secretService : keyFile
            }
        case .location(let location, _): provider(location)
        // A store in memory has no key.
        case .memory: nil
        }
    }

    /// A provider that was chosen explicitly must be the store's provider. An automatic choice accepts any protection,
    /// except a key file while the Secret Service is unlocked and has a key for this location. Otherwise, a program
    /// that can write to the store's directory could put a store with a known key there.
    ///
    /// Outside of a sandbox, stores of the portal are never accepted, whatever was chosen.
    package func admit(
        _ kind: KeyLocation,
        at location: StoreLocation,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        if kind == .portal, !portal.isInSandbox { throw Self.ofSandbox(location) }
        if let named = choice.named {
            guard kind != named else { return }
            throw kind == .none
                ? Self.unprotected(location, choice: choice) : Self.mismatch(kind, at: location, choice: choice)
        }
        switch kind {
        case .none: throw Self.unprotected(location, choice: .location(.keyFile))
        case .keyFile:
            guard secretService.holdsOpenKey(for: location, keyAccess: keyAccess) else { return }
            throw Self.exchanged(location)
        case .secretService, .portal, .credentialFile: return
        }
    }

    private static func mismatch(
        _ kind: KeyLocation,
        at location: StoreLocation,
        choice: StoreKeyChoice
    ) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) was created with its key in \(kind.description), but \
                \(choice.text) was requested. Nothing was changed. If you know why, change the store: msal cache \
                rotate-key --to \(choice.text) --group \(location.groupName). If you do not, someone else may have \
                replaced the file: msal cache clear
                """
        )
    }

    private static func ofSandbox(_ location: StoreLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) belongs to an app in a sandbox. Its key comes from the secret portal, which \
                gives it only to that app. Nothing was changed. Let this program use a separate store: name another \
                directory in MSAL_STORE_DIR, or another keychainSharingGroup. If the app is gone: msal cache clear
                """
        )
    }

    private static func unprotected(_ location: StoreLocation, choice: StoreKeyChoice) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) is not encrypted. It is only opened on explicit request: \
                \(StoreKeyChoice.variable)=none. Nothing was changed. If you requested that, encrypt the store with \
                \(StoreKeyChoice.variable)=none msal cache rotate-key --to \(choice.text) --group \(location.groupName). \
                If not, someone else may have replaced the file: msal cache repair, or msal cache clear
                """
        )
    }

    private static func exchanged(_ location: StoreLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) has its key in a file, but the Secret Service has a key for a store \
                at this location: someone else may have replaced the store. Nothing was changed. If you did, confirm it: \
                \(StoreKeyChoice.variable)=key-file, or move the key with \(StoreKeyChoice.variable)=key-file msal cache \
                rotate-key --to secret-service --group \(location.groupName). If not: msal cache clear
                """
        )
    }

    /// The provider of this kind; `nil` for `none`. Does not contact the provider.
    package func provider(_ kind: KeyLocation) -> (any KeyProvider)? {
        switch kind {
        case .secretService: secretService
        case .portal: portal
        case .keyFile: keyFile
        case .credentialFile: CredentialFileKeys(file: credentialFile, environment: environment)
        case .none: nil
        }
    }

    /// The configured credential, or else the one with the usual name.
    private var credentialFile: String {
        if case .location(.credentialFile, let file?) = choice { file } else { CredentialFileKeys.usualName }
    }
}
