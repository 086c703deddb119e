// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Tokens of issuers outside Azure, for tests of programs that run there.
extension Emulator {
    /// A token of an issuer, as a pod finds it in its token file. The token endpoint accepts it for an application
    /// whose federated credential fits it, if `EmulatorConfiguration.federatedIssuers` is set.
    ///
    /// - Throws: An error of the cryptography library, which is not to be expected.
    public func federatedToken(_ token: FederatedToken) async throws -> String {
        try await token.signed(by: parts.keys, base: "https://localhost:\(port)", now: now)
    }

    /// Puts a flaw into the next tokens that jobs get at the issuers' addresses. It does not change the tokens of
    /// `federatedToken(_:)`: each of those has its own `flaw`.
    ///
    /// `issuer`: The one whose tokens are wrong; `nil` means each.
    public func flawFederatedTokens(_ flaw: FederatedToken.Flaw, of issuer: FederatedIssuer? = nil, count: Int = 1) {
        parts.flaws.enqueue(flaw, of: issuer, count: count)
    }

    /// A token for the emulator that runs, or will run, at this port of this machine with this state folder.
    ///
    /// - Throws: `StartFailure` when the folder cannot be used; the text says what to do.
    public static func federatedToken(
        _ token: FederatedToken,
        port: Int,
        stateDirectory: URL? = nil
    ) async throws -> String {
        do {
            let keys = try await SigningKeys(in: PrivateFolder(state: stateDirectory))
            return try await token.signed(
                by: keys,
                base: "https://localhost:\(port)",
                now: EmulatorClock.systemNow
            )
        } catch let failure as PrivateFolder.Failure {
            throw StartFailure(description: failure.description)
        }
    }
}
