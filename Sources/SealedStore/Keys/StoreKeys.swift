// Licensed under the MIT License. See LICENSE.

/// Selects the provider of a store's key. A new store gets the provider that the choice and the machine determine. An
/// existing store keeps the one that it recorded (docs/reference/Store.md#provider-change).
///
/// Nothing is asked of the machine before the first call. For a store that is already open nothing is asked at all.
package struct StoreKeys: StoreKeySource {
    /// The choice for new stores.
    package let choice: StoreKeyChoice

    private let keyFile: any KeyProvider
    private let secretService: SecretServiceKeys
    private let portal: SecretPortalKeys
    private let environment: [String: String]

    /// `keyFile` keeps keys in files beside the store. The Secret Service and the portal are those on the session bus that
    /// `environment` names, but in tests.
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

    /// The provider for a store that is being created; `nil` stands for `none`, plain payloads.
    ///
    /// The session bus is asked only if the choice is automatic. A portal or a Secret Service that is locked or does not
    /// respond is still the choice. Its calls then fail, and nothing else takes its place.
    ///
    /// Throws `.keyUnavailable` if the bus does not respond in time; creating the store can be tried again.
    package func providerForNewStore(_ patience: KeyPatience) throws(StoreError) -> (any KeyProvider)? {
        switch choice {
        case .automatic:
            if try portal.isOffered(patience) {
                portal
            } else {
                try secretService.canBeReached(patience) ? secretService : keyFile
            }
        case .location(let location, _): provider(location)
        // A store in memory has no key.
        case .memory: nil
        }
    }

    /// If a provider was chosen by name, it must be the store's provider. If the choice is automatic, any protection
    /// will do, with one exception: a key file while the Secret Service is unlocked and holds a key for this location.
    /// Otherwise somebody who can write to the store's directory could put a store there whose key he has.
    ///
    /// Outside of a sandbox no store of the portal is admitted, whatever was chosen.
    package func admit(
        _ kind: KeyLocation,
        at location: StoreLocation,
        patience: KeyPatience
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
            guard secretService.holdsOpenKey(for: location, patience: patience) else { return }
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
                The token store \(location.file) was made with its key in \(kind.description), and \(choice.text) is asked for. \
                Nothing was changed. If you know why, change the store: msal cache rotate-key --to \(choice.text) --group \
                \(location.groupName). If you do not, somebody may have replaced the file: msal cache clear
                """
        )
    }

    private static func ofSandbox(_ location: StoreLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) belongs to an app in a sandbox. Its key comes from the secret portal, which \
                gives it to that app alone. Nothing was changed. Let this program keep a store of its own: name another \
                directory in MSAL_STORE_DIR, or another keychainSharingGroup. If the app is gone: msal cache clear
                """
        )
    }

    private static func unprotected(_ location: StoreLocation, choice: StoreKeyChoice) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) is not encrypted. It is opened only where that is asked for by name: \
                \(StoreKeyChoice.variable)=none. Nothing was changed. If it was asked for, encrypt the store with \
                \(StoreKeyChoice.variable)=none msal cache rotate-key --to \(choice.text) --group \(location.groupName). \
                If not, somebody may have replaced the file: msal cache repair, or msal cache clear
                """
        )
    }

    private static func exchanged(_ location: StoreLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store \(location.file) has its key in a file, and the Secret Service holds a key for a store in \
                this place: somebody may have replaced the store. Nothing was changed. If it was you, say so: \
                \(StoreKeyChoice.variable)=key-file, or move the key with \(StoreKeyChoice.variable)=key-file msal cache \
                rotate-key --to secret-service --group \(location.groupName). If not: msal cache clear
                """
        )
    }

    /// The provider of this kind; `nil` for `none`. Asks nothing of the machine.
    package func provider(_ kind: KeyLocation) -> (any KeyProvider)? {
        switch kind {
        case .secretService: secretService
        case .portal: portal
        case .keyFile: keyFile
        case .credentialFile: CredentialFileKeys(file: credentialFile, environment: environment)
        case .none: nil
        }
    }

    /// The configured credential, else the one of the usual name.
    private var credentialFile: String {
        if case .location(.credentialFile, let file?) = choice { file } else { CredentialFileKeys.usualName }
    }
}
