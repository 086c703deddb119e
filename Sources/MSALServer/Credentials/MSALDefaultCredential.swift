// Licensed under the MIT License. See LICENSE.

/// A single credential for laptops, CI, and the cloud: it uses the first identity that is set up.
///
/// It tries, in this order: environment variables, workload identity in Kubernetes, the managed identity of the
/// machine, and the command-line tools `msal`, `az` and `azd`. From then on, only the first one that returned a token
/// is used; its name is logged once. The variable `AZURE_TOKEN_CREDENTIALS` narrows the order: `prod` (the first
/// three), `dev` (the command-line tools), or the name of one credential.
///
/// ```swift
/// let credential = try MSALDefaultCredential()
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// print("The token is \(credential.winner ?? "nobody")'s.")
/// ```
public final class MSALDefaultCredential: MSALTokenCredential, ServerRedactedReflection {
    private let chain: CredentialChain

    /// Creates the default chain. None of its credentials is used before the first call.
    ///
    /// - Throws: `.configuration` if `AZURE_TOKEN_CREDENTIALS` has an unknown value, or if no credential is left.
    public convenience init(
        _ options: MSALDefaultCredentialOptions = MSALDefaultCredentialOptions()
    ) throws(MSALTokenError) {
        try self.init(options, environment: .system(options.credentials))
    }

    package init(
        _ options: MSALDefaultCredentialOptions = MSALDefaultCredentialOptions(),
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        let selection = try DefaultSelection(options, environment: environment)
        chain = CredentialChain(
            selection.members(of: options, environment: environment),
            options: options.credentials,
            environment: environment
        )
    }

    /// The names of the credentials, in the order in which they are tried.
    public var members: [String] { chain.names }

    /// The name of the selected credential; `nil` until one has returned a token.
    public var winner: String? { chain.winnerName }

    /// Returns a token from the first credential that provides one.
    ///
    /// - Throws: `.noCredential` if none is set up, with a line for each; otherwise the error of the credential that is
    ///   set up but failed.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await chain.token(for: request)
    }
}
