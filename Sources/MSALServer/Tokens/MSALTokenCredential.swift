// Licensed under the MIT License. See LICENSE.

/// A source of tokens: an application, a managed identity, a command-line tool, or a chain of these.
///
/// A program can conform its own types to it to add them to a chain. A credential that is not set up throws
/// ``MSALTokenError/Kind-swift.struct/credentialUnavailable``, so that a chain tries the next one.
public protocol MSALTokenCredential: Sendable {
    /// A token for the request, from the memory if it has one.
    ///
    /// It runs where the caller runs. Slow work belongs in a task of its own.
    ///
    /// - Throws: `MSALTokenError` with the reason and the remedy.
    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult
}

extension MSALTokenCredential {
    /// Returns a token for one scope, such as `https://vault.azure.net/.default`.
    ///
    /// - Throws: `MSALTokenError` with the reason and the remedy.
    nonisolated(nonsending) public func token(for scope: String) async throws(MSALTokenError) -> MSALTokenResult {
        try await token(for: MSALTokenRequest(scopes: [scope]))
    }
}

/// A token request to a credential.
public struct MSALTokenRequest: Sendable {
    /// The scopes of one resource, usually `<resource>/.default`.
    public var scopes: [String]

    /// Other options of the call.
    public var options = MSALTokenOptions()

    /// Creates a request for these scopes.
    public init(scopes: [String], options: MSALTokenOptions = MSALTokenOptions()) {
        self.scopes = scopes
        self.options = options
    }
}
