// Licensed under the MIT License. See LICENSE.

/// Asks credentials in the order that the program gives, until one gives a token.
///
/// That one serves from then on, alone: the identity never changes while the process lives. A credential that is not set up
/// is passed over. One that is set up and fails ends the call with its error. If nobody gives a token, nothing is remembered,
/// and the next call asks all again.
///
/// ```swift
/// let credential = try MSALChainedCredential([.managedIdentity(), .azureCLI])
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// ```
public final class MSALChainedCredential: MSALTokenCredential, ServerRedactedReflection {
    private let chain: CredentialChain

    /// A chain of these credentials. None is asked before the first call.
    ///
    /// - Parameters:
    ///   - members: The credentials, in the order in which they are asked.
    ///   - options: The settings of the credentials that the chain makes. A credential that the program made has its own.
    /// - Throws: `.configuration` if there are none.
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

    /// The name of the credential that serves. It is `nil` as long as none has given a token.
    public var winner: String? { chain.winnerName }

    /// The number of callers that wait for the first search.
    package var callers: Int { chain.callers }

    /// A token of the first credential that gives one.
    ///
    /// - Throws: `.noCredential` if none is set up, with a line for each; the error of the one that is set up and failed.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await chain.token(for: request)
    }
}
