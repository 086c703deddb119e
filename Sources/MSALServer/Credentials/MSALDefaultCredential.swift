// Licensed under the MIT License. See LICENSE.

/// One credential for the laptop, for CI and for the cloud: the first identity that is set up.
///
/// It asks, in this order: the environment, a workload's identity in Kubernetes, the managed identity of the machine, and the
/// command lines `msal`, `az` and `azd`. The first that gives a token serves from then on, alone; the log names it once. The
/// variable `AZURE_TOKEN_CREDENTIALS` narrows the order: `prod` (the first three), `dev` (the command lines), or the name of
/// one credential.
///
/// ```swift
/// let credential = try MSALDefaultCredential()
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// print("The token is \(credential.winner ?? "nobody")'s.")
/// ```
public final class MSALDefaultCredential: MSALTokenCredential, ServerRedactedReflection {
    private let chain: CredentialChain

    /// The default chain. None of its credentials is asked before the first call.
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

    /// The names of the credentials, in the order in which they are asked.
    public var members: [String] { chain.names }

    /// The name of the credential that serves. It is `nil` as long as none has given a token.
    public var winner: String? { chain.winnerName }

    /// A token of the first credential that gives one.
    ///
    /// - Throws: `.noCredential` if none is set up, with a line for each; the error of the one that is set up and failed.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await chain.token(for: request)
    }
}
