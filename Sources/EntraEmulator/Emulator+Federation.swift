// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Tokens of external issuers, for tests of programs outside Azure.
extension Emulator {
    /// Issues a token of an external issuer, as in a pod's token file. The token endpoint accepts it for an application
    /// with a matching federated credential, if `EmulatorConfiguration.federatedIssuers` is set.
    ///
    /// - Throws: An error of the cryptography library, which is not expected.
    public func federatedToken(_ token: FederatedToken) async throws -> String {
        try await token.signed(by: parts.keys, base: "https://localhost:\(port)", now: now)
    }

    /// Makes the next tokens that jobs request from the issuers invalid. It does not affect the tokens of
    /// `federatedToken(_:)`, which have their own `flaw`.
    ///
    /// `issuer`: The issuer of the invalid tokens; `nil` means all issuers.
    public func flawFederatedTokens(_ flaw: FederatedToken.Flaw, of issuer: FederatedIssuer? = nil, count: Int = 1) {
        parts.flaws.enqueue(flaw, of: issuer, count: count)
    }

    /// Issues a token for an emulator that runs, or will run, on this port of this machine with this state folder.
    ///
    /// - Throws: `StartFailure` if the folder cannot be used; the message says what to do.
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
