// Licensed under the MIT License. See LICENSE.

/// Tries credentials in the given order until one returns a token.
///
/// From then on, only that credential is used: the identity does not change during the lifetime of the process.
/// Credentials that are not set up are skipped. If a credential is set up but fails, the call fails with its error. If
/// no credential returns a token, the next call tries all of them again.
///
/// ```swift
/// let credential = try MSALChainedCredential([.managedIdentity(), .azureCLI])
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// ```
public final class MSALChainedCredential: MSALTokenCredential, ServerRedactedReflection {
    private let chain: CredentialChain

    /// Creates a chain of these credentials. None is used before the first call.
    ///
    /// - Parameters:
    ///   - members: The credentials, in the order in which to try them.
    ///   - options: The settings of the credentials that the chain creates. Credentials that the program created keep
    ///     their own.
    /// - Throws: `.configuration` if `members` is empty.
    public convenience init(
        _ members: [MSALChainMember],
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) throws(MSALTokenError) {
        try self.init(members, options: options, environment: .system(options))
    }

    package init(
        _ members: [MSALChainMember],
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        guard !members.isEmpty else {
            throw MSALTokenError(.configuration, message: "The chain has no credentials. Name at least one.")
        }
        chain = CredentialChain(members, options: options, environment: environment)
    }

    /// The name of the selected credential; `nil` until one has returned a token.
    public var winner: String? { chain.winnerName }

    /// The number of callers that wait for the first search.
    package var callers: Int { chain.callers }

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
