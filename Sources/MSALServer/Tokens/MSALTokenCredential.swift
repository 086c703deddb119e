// Licensed under the MIT License. See LICENSE.

/// Something that gives tokens: an application, a managed identity, a command line, or a chain of these.
///
/// A program conforms its own types to it to put them in a chain. A conformance throws
/// ``MSALTokenError/Kind-swift.struct/credentialUnavailable`` if it is not set up, so that a chain asks the next.
public protocol MSALTokenCredential: Sendable {
    /// A token for the request, from the memory if it has one.
    ///
    /// It runs where the caller runs. Slow work belongs in a task of its own.
    ///
    /// - Throws: `MSALTokenError` with the reason and the remedy.
    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult
}

extension MSALTokenCredential {
    /// A token for one scope, such as `https://vault.azure.net/.default`.
    ///
    /// - Throws: `MSALTokenError` with the reason and the remedy.
    nonisolated(nonsending) public func token(
        for scope: String
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await token(for: MSALTokenRequest(scopes: [scope]))
    }
}

/// The request to a credential.
public struct MSALTokenRequest: Sendable {
    /// The scopes of one resource, usually `<resource>/.default`.
    public var scopes: [String]

    /// The other wishes of the call.
    public var options = MSALTokenOptions()

    /// A request for these scopes.
    public init(scopes: [String], options: MSALTokenOptions = MSALTokenOptions()) {
        self.scopes = scopes
        self.options = options
    }
}
