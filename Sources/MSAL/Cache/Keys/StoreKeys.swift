// Licensed under the MIT License. See LICENSE.

/// Finds the provider of a store's key: for a new store the one that the choice and the machine give, for an existing
/// one the one that the store recorded (token-store-linux.md R16).
///
/// Nothing is asked of the machine before the first call, and nothing at all for a store that is already open.
package struct StoreKeys: StoreKeySource {
    /// What counts for new stores.
    package let choice: StoreKeyChoice

    private let keyFile: any KeyProvider
    private let secretService: SecretServiceKeys
    private let environment: [String: String]

    /// `keyFile` keeps keys in files beside the store. The Secret Service is the one on the session bus that
    /// `environment` names, but in tests.
    package init(
        _ choice: StoreKeyChoice = .automatic,
        environment: [String: String],
        keyFile: any KeyProvider = KeyFileKeys(),
        secretService: SecretServiceKeys? = nil
    ) {
        self.choice = choice
        self.keyFile = keyFile
        self.secretService = secretService ?? SecretServiceKeys(environment: environment)
        self.environment = environment
    }

    /// The provider for a store that is being created; `nil` stands for `none`, plain payloads.
    ///
    /// The session bus is asked only if the choice is automatic. A Secret Service that is there but locked or silent is
    /// still the choice: then its calls fail, and nothing else takes its place (T2).
    ///
    /// Throws `.keyUnavailable` if the bus does not answer in time; creating the store can be tried again.
    package func providerForNewStore(_ patience: KeyPatience) throws(StoreError) -> (any KeyProvider)? {
        switch choice {
        case .automatic: try secretService.canBeReached(patience) ? secretService : keyFile
        case .secretService: secretService
        case .keyFile: keyFile
        case .credentialFile(let file): CredentialFileKeys(file: file, environment: environment)
        // A store in memory has no key; whoever asks all the same gets none.
        case .none, .memory: nil
        }
    }

    /// The provider that an existing store recorded; `nil` for `none`. Asks nothing of the machine.
    package func provider(_ kind: KeyProviderKind) -> (any KeyProvider)? {
        switch kind {
        case .secretService: secretService
        case .keyFile: keyFile
        case .credentialFile: CredentialFileKeys(file: credentialFile, environment: environment)
        case .none: nil
        }
    }

    /// The credential that is configured, else the one of the usual name.
    private var credentialFile: String {
        if case .credentialFile(let file) = choice { file } else { CredentialFileKeys.usualName }
    }
}
